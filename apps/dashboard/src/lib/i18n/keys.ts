import { type en } from './en/index.js';

type Texts = typeof en;
type Leaves<T, Path extends string> = {
  [K in keyof T & string]: T[K] extends string
    ? { readonly path: `${Path}${K}`; readonly text: T[K] }
    : Leaves<T[K], `${Path}${K}.`>;
}[keyof T & string];

/** `count_one` and `count_other` are asked for as `count`. */
type Asked<Path extends string> = Path extends `${infer Base}_${'one' | 'other'}` ? Base : Path;
type Holes<Text extends string> = Text extends `${string}{{${infer Hole}}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;

type HolesByKey = {
  [L in Leaves<Texts, ''> as Asked<L['path']>]: Holes<L['text']>;
};

/** Every text of the interface: a key that there is not does not compile. */
export type TextKey = keyof HolesByKey;
/** What has to be filled in: a name that is missing does not compile either. */
export type Filling<K extends TextKey> = [HolesByKey[K]] extends [never]
  ? []
  : [filling: { readonly [N in HolesByKey[K]]: string | number }];

/** Gives a text of the interface, filled in. */
export type Translate = <K extends TextKey>(key: K, ...filling: Filling<K>) => string;
