import { en, type Translation } from './en/index.js';
export const ja: Translation = en;
