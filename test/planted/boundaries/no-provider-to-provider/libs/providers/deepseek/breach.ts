export * from '../claude/index.js';
