import { type Translation } from '../en/index.js';
import { decide } from './decide.js';
import { setUp } from './set-up.js';
import { shell } from './shell.js';
import { work } from './work.js';

export const de: Translation = { ...shell, ...work, ...decide, ...setUp };
