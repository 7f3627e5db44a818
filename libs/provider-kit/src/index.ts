export * from './actions/describe-action.js';
export { isWithin, realPathOf } from './actions/paths.js';
export * from './blocks.js';
export * from './clients/client-installer.js';
export * from './driver.js';
export * from './questions.js';
export * from './processes/child-mark.js';
export * from './processes/process-identity.js';
export * from './processes/process-lock.js';
