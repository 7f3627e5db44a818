import { Action, LIMITS, makeVisible, type ActionRisk } from '#contracts';
import { tellsAgents } from './agent-files.js';
import { readCommand } from './command.js';
import { diffOf, fileBefore } from './file-change.js';
import { isWithin, realPathOf } from './paths.js';

/** One call of a client's tool, as the driver has read it. */
export interface ToolCall {
  readonly tool: string;
  /** Its arguments, all of them. */
  readonly input: unknown;
}

/** Where a session works. */
export interface WorkPlace {
  /** Its working folder. */
  readonly folder: string;
  readonly homeFolder: string;
}

/** What a driver knows of a tool: what kind of thing it does, and with what. */
export type ToolUse =
  | { readonly does: 'bookkeeping' | 'unknown' }
  /** `paths`: all that it looks at; none stands for the folder itself. */
  | { readonly does: 'read'; readonly paths: readonly string[] }
  /** `after`: the file's text as it will be, made from the text before; undefined where that can't be told. */
  | {
      readonly does: 'write';
      readonly path: string;
      readonly after: (before: string) => string | undefined;
      /** Whether it is the client's own file of its plan. */
      readonly isPlan?: (real: string) => boolean;
    }
  | { readonly does: 'run'; readonly command: string }
  | { readonly does: 'reach-out'; readonly address: string };

/** What kind of action a call is, as far as the mode decides by it. */
export interface ClassifiedAction extends Pick<Action, 'kind' | 'path' | 'risks'> {
  readonly use: ToolUse;
}

/** An action that can't be shown whole; the agent is told why. */
export class NotShowable extends Error {}

/** Says of a call what kind of action it is (M3). Changes nothing, and reads no file. */
export async function classifyAction(use: ToolUse, place: WorkPlace): Promise<ClassifiedAction> {
  switch (use.does) {
    case 'bookkeeping':
    case 'unknown':
      return { use, kind: use.does, risks: [] };
    case 'read':
      return { use, ...(await reading(use.paths, place)) };
    case 'write':
      return { use, ...(await writing(use, place)) };
    case 'run':
      return { use, kind: 'run', risks: [] };
    case 'reach-out':
      return { use, kind: 'reach-out', risks: ['network'] };
  }
}

/**
 * Describes a call for the person who is asked about it (M3).
 * Rejects with {@link NotShowable} where it can't be shown whole, with whatever else went wrong otherwise; a driver lets
 * through neither.
 */
export async function describeAction(
  { tool, input }: ToolCall,
  classified: ClassifiedAction,
  place: WorkPlace,
): Promise<Action> {
  const { use, ...action } = classified;
  const described = Action.safeParse({
    ...action,
    ...(await details(use, action, place)),
    tool: makeVisible(tool),
    arguments: JSON.stringify(input, undefined, 2) ?? '',
    folder: place.folder,
  });
  if (described.success) return described.data;
  throw new NotShowable(
    `The call can’t be shown to a person whole: at most ${LIMITS.actionText} characters fit. Do it in smaller steps.`,
  );
}

type Kind = Pick<Action, 'kind' | 'path' | 'risks'>;

async function details(
  use: ToolUse,
  { path }: Kind,
  { folder }: WorkPlace,
): Promise<Partial<Action>> {
  if (use.does === 'reach-out') return { address: makeVisible(use.address) };
  if (use.does === 'run') {
    const { risks, grantable } = readCommand(use.command, folder);
    const command = makeVisible(use.command);
    return { command, risks: [...risks], ...(grantable !== undefined && { grantable }) };
  }
  if (use.does !== 'write' || path === undefined) return {};
  const { hash, text } = await fileBefore(path);
  const next = text === undefined ? undefined : use.after(text);
  const diff = text === undefined || next === undefined ? undefined : diffOf(path, text, next);
  return { fileHash: hash, ...(diff !== undefined && { diff }) };
}

/** Other processes' environments and memory, which hold what no agent is to see. */
const OF_PROCESSES = /^\/proc\/(?:\d+|self|thread-self)\//;

async function reading(paths: readonly string[], place: WorkPlace): Promise<Kind> {
  const folder = await realPathOf('.', place.folder, place.homeFolder);
  const all = await Promise.all(
    (paths.length === 0 ? ['.'] : paths).map((one) =>
      realPathOf(one, place.folder, place.homeFolder),
    ),
  );
  const outside = all.find((one) => !isWithin(one, folder));
  const path = makeVisible(outside ?? all[0] ?? folder);
  if (all.some((one) => OF_PROCESSES.test(one))) return { kind: 'secrets', path, risks: [] };
  return outside === undefined
    ? { kind: 'read-inside', path, risks: [] }
    : { kind: 'read-outside', path, risks: ['outside-folder'] };
}

async function writing(
  { path: given, isPlan }: Extract<ToolUse, { does: 'write' }>,
  place: WorkPlace,
): Promise<Kind> {
  const folder = await realPathOf('.', place.folder, place.homeFolder);
  const real = await realPathOf(given, place.folder, place.homeFolder);
  const path = makeVisible(real);
  if (OF_PROCESSES.test(real)) return { kind: 'secrets', path, risks: [] };
  if (isPlan?.(real) === true) return { kind: 'plan-file', path, risks: [] };
  const risks: ActionRisk[] = isWithin(real, folder) ? [] : ['outside-folder'];
  const configures = tellsAgents(real) || tellsAgents(given);
  if (configures) risks.push('configures-agents');
  return { kind: configures ? 'configure-agents' : 'write', path, risks };
}

/** Whether the file that an action changes is still as it was shown; true for an action that changes none. */
export async function isStillAsShown(action: Action): Promise<boolean> {
  if (action.fileHash === undefined || action.path === undefined) return true;
  const now = await fileBefore(action.path).catch(() => undefined);
  return now?.hash === action.fileHash;
}
