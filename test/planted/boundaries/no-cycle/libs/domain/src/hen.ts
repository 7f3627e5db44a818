import { egg } from './egg.js';
export const hen = (): number => egg();
