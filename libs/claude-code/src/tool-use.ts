import path from 'node:path';
import { z } from 'zod';
import type { ToolUse } from '#provider-kit';

/** Tools that touch nothing but the conversation itself; what a sub-agent does comes past the gate by itself. */
const BOOKKEEPING = new Set([
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskUpdate',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'BashOutput',
  'KillShell',
  'ToolSearch',
]);

const Path = z.string().min(1);
/** One that would run in a mode or a copy of the folder of its own choice is no bookkeeping. */
const Agent = z.looseObject({
  prompt: z.string(),
  isolation: z.never().optional(),
  mode: z.never().optional(),
});
const Read = z.looseObject({ file_path: Path });
const NotebookRead = z.looseObject({ notebook_path: Path });
const Glob = z.looseObject({ pattern: z.string(), path: Path.optional() });
const Grep = z.looseObject({ path: Path.optional() });
const Listed = z.looseObject({ path: Path });
const Bash = z.looseObject({ command: z.string() });
const Fetch = z.looseObject({ url: z.string() });
const Search = z.looseObject({ query: z.string() });
const Write = z.looseObject({ file_path: Path, content: z.string() });
const Edit = z.looseObject({
  file_path: Path,
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
const NotebookEdit = z.looseObject({ notebook_path: Path });

/** How each tool's arguments are read, by the names and shapes of Claude Code 2.1.332. */
const TOOLS: Readonly<Record<string, (input: unknown, plans: string) => ToolUse | undefined>> = {
  Agent: (input) => (Agent.safeParse(input).success ? { does: 'bookkeeping' } : undefined),
  Task: (input) => (Agent.safeParse(input).success ? { does: 'bookkeeping' } : undefined),
  Read: (input) => reads(Read.safeParse(input).data?.file_path),
  NotebookRead: (input) => reads(NotebookRead.safeParse(input).data?.notebook_path),
  LS: (input) => reads(Listed.safeParse(input).data?.path),
  Glob: (input) => {
    const read = Glob.safeParse(input).data;
    return (
      read && {
        does: 'read',
        paths: [...given(read.path), ...fixedPartOf(read.pattern, read.path)],
      }
    );
  },
  Grep: (input) => {
    const read = Grep.safeParse(input).data;
    return read && { does: 'read', paths: given(read.path) };
  },
  Bash: (input) => {
    const read = Bash.safeParse(input).data;
    return read && { does: 'run', command: read.command };
  },
  WebFetch: (input) => reaches(Fetch.safeParse(input).data?.url),
  WebSearch: (input) => reaches(Search.safeParse(input).data?.query),
  Write: (input, plans) => {
    const read = Write.safeParse(input).data;
    return read && { ...writes(read.file_path, plans), after: () => read.content };
  },
  Edit: (input, plans) => {
    const read = Edit.safeParse(input).data;
    return read && { ...writes(read.file_path, plans), after: (before) => edited(before, read) };
  },
  NotebookEdit: (input, plans) => {
    const read = NotebookEdit.safeParse(input).data;
    return read && { ...writes(read.notebook_path, plans), after: () => undefined };
  },
};

/**
 * What a call of one of the client's tools does. A tool that is not known here, or whose arguments are not as they were,
 * is `unknown`: nothing is let through on a guess.
 *
 * @param plans the folder of the client's own files of its plans, as it really is
 */
export function toolUse(tool: string, input: unknown, plans: string): ToolUse {
  if (BOOKKEEPING.has(tool)) return { does: 'bookkeeping' };
  const read = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return read?.(input, plans) ?? { does: 'unknown' };
}

const given = (one: string | undefined): string[] => (one === undefined ? [] : [one]);

const reads = (one: string | undefined): ToolUse | undefined =>
  one === undefined ? undefined : { does: 'read', paths: [one] };

const reaches = (address: string | undefined): ToolUse | undefined =>
  address === undefined ? undefined : { does: 'reach-out', address };

/** A pattern may lead elsewhere by itself. */
function fixedPartOf(pattern: string, base = '.'): string[] {
  const wild = pattern.search(/[*?[{!(]/);
  const fixed = wild < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild) + 1);
  const climbs = pattern.split('/').includes('..');
  if (climbs) return [path.join(base, fixed), path.dirname(path.resolve('/', base))];
  return fixed === '' ? [] : [path.isAbsolute(fixed) ? fixed : path.join(base, fixed)];
}

const writes = (file: string, plans: string) =>
  ({
    does: 'write',
    path: file,
    isPlan: (real: string) => path.dirname(real) === plans && real.endsWith('.md'),
  }) as const;

function edited(before: string, edit: z.infer<typeof Edit>): string | undefined {
  if (edit.old_string === '') return before === '' ? edit.new_string : undefined;
  if (!before.includes(edit.old_string)) return undefined;
  // As a function, so that `$&` and its like in the new text stay what they are.
  return edit.replace_all === true
    ? before.replaceAll(edit.old_string, () => edit.new_string)
    : before.replace(edit.old_string, () => edit.new_string);
}
