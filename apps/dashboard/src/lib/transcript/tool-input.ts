import { type Json } from '#contracts';

/** A piece of text that a tool call takes away and what it puts there. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** One argument, as people read it. */
export interface Argument {
  readonly name: string;
  readonly text: string;
  /** Structure, shown as code. */
  readonly structured: boolean;
}

/** What of a tool's arguments is shown how; generic over tools, since the page knows none by name. */
export interface ToolInputView {
  /** What the call is about, such as a path. */
  readonly subject: string | undefined;
  readonly replacements: readonly Replacement[];
  /** A command line that is run. */
  readonly command: string | undefined;
  /** What is written to the subject. */
  readonly content: string | undefined;
  /** The arguments that are left. */
  readonly rest: readonly Argument[];
}

type JsonObject = { [key: string]: Json };
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OLD = /^old(?=[_A-Z]|$)/;
const SUBJECTS = ['file_path', 'filePath', 'path', 'file', 'notebook_path'];
const COMMANDS = ['command', 'cmd', 'script'];
const CONTENTS = ['content', 'contents', 'file_text', 'new_source'];

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

interface Changes {
  readonly replacements: readonly Replacement[];
  /** The arguments that they stand in. */
  readonly names: readonly string[];
}

function changesIn(input: JsonObject): Changes {
  const single = pairIn(input);
  if (single !== undefined) return { replacements: [single.pair], names: single.names };
  const several = listOfPairs(input);
  return several === undefined
    ? { replacements: [], names: [] }
    : { replacements: several.pairs, names: [several.name] };
}

/** The first of these arguments that is a text. */
const textAmong = (input: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => typeof input[name] === 'string');

function argument([name, value]: [string, Json]): Argument {
  const structured = typeof value === 'object' && value !== null;
  const text = structured ? JSON.stringify(value, null, 2) : String(value);
  return { name, text, structured };
}

/** Finds out how a tool's arguments read best: changes as such, commands and contents as code, the rest by name. */
export function viewToolInput(input: Json | undefined): ToolInputView {
  if (!isObject(input)) return { ...NOTHING, rest: loose(input) };
  const changes = changesIn(input);
  const subject = textAmong(input, SUBJECTS);
  const command = textAmong(input, COMMANDS);
  const content = subject === undefined ? undefined : textAmong(input, CONTENTS);
  const shown = new Set([...changes.names, subject, command, content]);
  const text = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : String(input[name]);
  return {
    subject: text(subject),
    replacements: changes.replacements,
    command: text(command),
    content: text(content),
    rest: Object.entries(input)
      .filter(([name]) => !shown.has(name))
      .map(argument),
  };
}

const NOTHING: ToolInputView = {
  subject: undefined,
  replacements: [],
  command: undefined,
  content: undefined,
  rest: [],
};

/** Arguments that have no names: a text, such as the beginning of what was too large, or a list. */
function loose(input: Json | undefined): readonly Argument[] {
  return input === undefined || input === null ? [] : [argument(['', input])];
}

/** The arguments as the agent gave them. */
export function inputAsText(input: Json | undefined): string {
  if (input === undefined || input === null) return '';
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}
