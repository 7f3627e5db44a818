export * from './model-call.js';
export * from './scenario.js';
export type { ScriptedModel } from './scripted-model.js';
export { ScriptedMessagesApi } from './messages-api/server.js';
