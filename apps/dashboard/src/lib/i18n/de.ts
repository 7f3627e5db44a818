import { en, type Translation } from './en/index.js';
export const de: Translation = en;
