import { en, type Translation } from './en/index.js';
export const es: Translation = en;
