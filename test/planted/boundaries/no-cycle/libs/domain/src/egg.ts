import { hen } from './hen.js';
export const egg = (): number => hen();
