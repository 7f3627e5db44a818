export { KEY_IS_OURS, type ClaudeCodeProfile } from './profile.js';
export { ClaudeCodeRuntime } from './runtime.js';
export { CLAUDE_CODE } from './sdk.js';
