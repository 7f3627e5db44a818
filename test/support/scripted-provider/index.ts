export { ASKING_TOOL, SAYING_TOOL } from './asking-tool.js';
export { ScriptedProvider } from './driver.js';
