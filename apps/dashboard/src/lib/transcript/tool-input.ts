import { type Json } from '#contracts';

/** A piece of text that a tool call takes away and what it puts there. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** What of a tool's arguments is shown how; generic over tools, since the page knows none by name. */
export interface ToolInputView {
  /** Where the change is made, such as a path. */
  readonly subject: string | undefined;
  readonly replacements: readonly Replacement[];
  /** The arguments that are shown as they are. */
  readonly rest: Json | undefined;
}

type JsonObject = { [key: string]: Json };
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OLD = /^old(?=[_A-Z]|$)/;
const SUBJECTS = ['file_path', 'filePath', 'path', 'file', 'notebook_path'];

/** A pair of fields such as `old_string` and `new_string`, or `oldText` and `newText`. */
function pairIn(input: JsonObject): { names: [string, string]; pair: Replacement } | undefined {
  for (const [name, before] of Object.entries(input)) {
    const other = name.replace(OLD, 'new');
    const after = input[other];
    if (other === name || typeof before !== 'string' || typeof after !== 'string') continue;
    return { names: [name, other], pair: { before, after } };
  }
  return undefined;
}

/** A list of such pairs, such as `edits`. */
function listOfPairs(input: JsonObject): { name: string; pairs: Replacement[] } | undefined {
  for (const [name, value] of Object.entries(input)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const pairs = value.map((one) => (isObject(one) ? pairIn(one)?.pair : undefined));
    if (pairs.every((pair) => pair !== undefined)) return { name, pairs };
  }
  return undefined;
}

const without = (input: JsonObject, names: readonly string[]): JsonObject | undefined => {
  const rest = Object.entries(input).filter(([name]) => !names.includes(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
};

interface Changes {
  readonly replacements: readonly Replacement[];
  /** The arguments that they stand in. */
  readonly names: readonly string[];
}

function changesIn(input: JsonObject): Changes | undefined {
  const single = pairIn(input);
  if (single !== undefined) return { replacements: [single.pair], names: single.names };
  const several = listOfPairs(input);
  return several === undefined ? undefined : { replacements: several.pairs, names: [several.name] };
}

/** Finds the changes of text in a tool's arguments. */
export function viewToolInput(input: Json | undefined): ToolInputView {
  const changes = isObject(input) ? changesIn(input) : undefined;
  if (!isObject(input) || changes === undefined) {
    return { subject: undefined, replacements: [], rest: input };
  }
  const named = SUBJECTS.find((name) => typeof input[name] === 'string');
  return {
    subject: named === undefined ? undefined : String(input[named]),
    replacements: changes.replacements,
    rest: without(input, [...changes.names, named ?? '']),
  };
}

/** Arguments as text: a single text as it is, anything else as indented JSON. */
export function inputAsText(rest: Json | undefined): string {
  if (rest === undefined || rest === null) return '';
  if (typeof rest === 'string') return rest;
  if (isObject(rest)) {
    const entries = Object.entries(rest);
    const [only] = entries;
    if (entries.length === 1 && typeof only?.[1] === 'string') return only[1];
  }
  return JSON.stringify(rest, null, 2);
}
