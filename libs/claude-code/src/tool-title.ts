import { z } from 'zod';
import { oneLine } from '#provider-kit';

/** Which argument says best what a tool does, by the tool's name. */
const TELLING: Readonly<Record<string, string>> = {
  Agent: 'description',
  Bash: 'command',
  Edit: 'file_path',
  Glob: 'pattern',
  Grep: 'pattern',
  NotebookEdit: 'notebook_path',
  Read: 'file_path',
  Skill: 'skill',
  Task: 'description',
  WebFetch: 'url',
  WebSearch: 'query',
  Write: 'file_path',
};
const LIKELY = ['description', 'command', 'file_path', 'path', 'query', 'name'];

const Arguments = z.record(z.string(), z.unknown());
const Questions = z.object({ questions: z.array(z.object({ question: z.string() })).min(1) });

/** One line for people: the command, the file, or what else says best what is done. */
export function toolTitle(tool: string, input: unknown): string {
  const asked = Questions.safeParse(input);
  if (asked.success) return oneLine(asked.data.questions[0]?.question ?? tool);
  const given = Arguments.safeParse(input).data ?? {};
  const names = [TELLING[tool], ...LIKELY].filter((name) => name !== undefined);
  const telling = names
    .map((name) => given[name])
    .find((value) => typeof value === 'string' && value !== '');
  return oneLine(typeof telling === 'string' ? telling : tool);
}
