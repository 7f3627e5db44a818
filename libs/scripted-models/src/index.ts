export * from './model-call.js';
export * from './scenario.js';
export type { ScriptedModel } from './scripted-model.js';
export { ScriptedMessagesApi } from './messages-api/server.js';
export { DEMO, DEMO_CONVERSATIONS, type DemoConversation } from './demo/index.js';
export { InProcessModel, type InProcessReply, type NumberedPart } from './in-process/model.js';
