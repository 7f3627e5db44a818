export { Recording } from './recording.js';
export type { ConformanceRig, ConformanceSubject, SuiteQuestion } from './subject.js';
export { describeDriver } from './suite.js';
