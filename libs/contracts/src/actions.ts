import { z } from 'zod';
import { Instant } from './ids.js';
import { LIMITS } from './limits.js';
import { RelayMode } from './modes.js';
import { Actor } from './principals.js';
import { storableText } from './text.js';

/**
 * What an agent is about to do, as far as its driver can tell (M3). The mode decides by the kind alone:
 * - `bookkeeping`: touches nothing but the conversation itself (its list of things to do, its sub-agents);
 * - `read-inside`, `read-outside`: reads files in the conversation's folder, or elsewhere;
 * - `write`: makes or changes a file;
 * - `configure-agents`: changes a file that tells agents what to do or which tools to start;
 * - `run`: runs a command;
 * - `reach-out`: talks to another machine;
 * - `plan-file`: writes the client's own file of its plan;
 * - `secrets`: reads what is the hub's, or another process's environment or memory;
 * - `unknown`: a tool that the driver does not know.
 */
export const ActionKind = z.enum([
  'bookkeeping',
  'read-inside',
  'read-outside',
  'write',
  'configure-agents',
  'run',
  'reach-out',
  'plan-file',
  'secrets',
  'unknown',
]);
export type ActionKind = z.infer<typeof ActionKind>;

/** What a person should see at a look before they allow it. */
export const ActionRisk = z.enum([
  'deletes',
  'network',
  'outside-folder',
  'privilege',
  'configures-agents',
  'runs-script',
  'not-parsed',
]);
export type ActionRisk = z.infer<typeof ActionRisk>;

/** One action, with exactly what will run: if anything of it differs then, it does not run (M3). */
export const Action = z.object({
  kind: ActionKind,
  /** The client's own name of the tool. */
  tool: storableText(LIMITS.title, 1),
  /** All of the tool's arguments as JSON, indented. Never cut: what can't be shown whole is refused. */
  arguments: storableText(LIMITS.actionText),
  /** Where it happens. */
  folder: storableText(LIMITS.folder, 1),
  /** The command line of a `run`. */
  command: storableText(LIMITS.actionText).optional(),
  /** The real path of the file, links followed. */
  path: storableText(LIMITS.folder).optional(),
  /** SHA-256 of the file as it was when this was asked, in hex; `absent` where there was none. */
  fileHash: z
    .string()
    .regex(/^(absent|[0-9a-f]{64})$/, 'must be a SHA-256 in hex, or absent')
    .optional(),
  /** What an edit changes, as a unified diff. */
  diff: storableText(LIMITS.actionText).optional(),
  /** The address of a `reach-out`. */
  address: storableText(LIMITS.folder).optional(),
  risks: z.array(ActionRisk).max(10),
  /**
   * The one simple command, word by word, that a grant for the conversation would cover; absent where none may be
   * given: chained, substituted or redirected commands, and everything that is no command.
   */
  grantable: z.array(storableText(LIMITS.grantWord)).min(1).max(LIMITS.grantWords).optional(),
});
export type Action = z.infer<typeof Action>;

/** M3: leave that a person gave for the rest of a conversation. It covers this very command in this very folder. */
export const Grant = z.object({
  id: z.uuid(),
  command: z.array(storableText(LIMITS.grantWord)).min(1).max(LIMITS.grantWords),
  folder: storableText(LIMITS.folder, 1),
  by: Actor,
  at: Instant,
});
export type Grant = z.infer<typeof Grant>;

/** What a person decides about an action or a plan. */
export const Verdict = z.discriminatedUnion('kind', [
  /** `conversation`: and every time from now on, where the action is grantable. */
  z.object({ kind: z.literal('allow'), scope: z.enum(['once', 'conversation']) }),
  z.object({ kind: z.literal('deny'), word: storableText(LIMITS.answerText, 1).optional() }),
  z.object({
    kind: z.literal('approve-plan'),
    /** The mode that the conversation goes on in; `plan` approves and stays. */
    then: RelayMode,
    /** The plan as the person changed it; absent where it stands as it is. */
    edited: storableText(LIMITS.planText, 1).optional(),
  }),
  z.object({ kind: z.literal('send-back'), comments: storableText(LIMITS.answerText, 1) }),
]);
export type Verdict = z.infer<typeof Verdict>;

/** The same text for the same verdict, whatever the order of its keys: what a device signs of it. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'allow':
      return JSON.stringify(['allow', verdict.scope]);
    case 'deny':
      return JSON.stringify(['deny', verdict.word ?? '']);
    case 'approve-plan':
      return JSON.stringify(['approve-plan', verdict.then, verdict.edited ?? '']);
    case 'send-back':
      return JSON.stringify(['send-back', verdict.comments]);
  }
}
