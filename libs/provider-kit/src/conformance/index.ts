export { Conversation, answered, decided, expired, skipped, type Outcome } from './conversation.js';
export { Recording } from './recording.js';
export type { ConformanceRig, ConformanceSubject, SuiteQuestion } from './subject.js';
export { describeDriver } from './suite.js';
