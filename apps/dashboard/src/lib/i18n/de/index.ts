import { type Translation } from '../en/index.js';
import { setUp } from './set-up.js';
import { shell } from './shell.js';
import { work } from './work.js';

export const de: Translation = { ...shell, ...work, ...setUp };
