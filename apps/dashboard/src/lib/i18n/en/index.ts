import { decide } from './decide.js';
import { setUp } from './set-up.js';
import { shell } from './shell.js';
import { work } from './work.js';

/** The interface in English: the one from which the other languages take their keys. */
export const en = { ...shell, ...work, ...decide, ...setUp } as const;

/** What another language has to have: the same keys, a text for each. */
export type Translation<T = typeof en> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]>;
};
