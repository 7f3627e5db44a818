import { z } from 'zod';
import { Failure } from './conversations.js';
import { ToolCallId, TurnId } from './ids.js';
import { LIMITS } from './limits.js';
import { Json, storableText } from './text.js';
import { Usage } from './usage.js';

/** A block that was cut into parts to fit a frame; parts follow each other, from 0. */
const Part = z.object({ index: z.number().int().nonnegative(), last: z.boolean() });

const block = {
  turnId: TurnId,
  /** The same for every part and delta of one block. */
  blockId: z.string().min(1).max(200),
  /** The tool call of the sub-agent that this belongs to. */
  parentToolCallId: ToolCallId.optional(),
};

/** The agent's reply, a whole block of markdown. */
export const TextBlock = z.object({
  kind: z.literal('text'),
  ...block,
  part: Part.optional(),
  text: storableText(LIMITS.blockText),
});
/** What the agent thought, a whole block. */
export const ThoughtBlock = z.object({
  kind: z.literal('thought'),
  ...block,
  part: Part.optional(),
  text: storableText(LIMITS.blockText),
});
export const ToolCalled = z.object({
  kind: z.literal('tool-called'),
  turnId: TurnId,
  toolCallId: ToolCallId,
  parentToolCallId: ToolCallId.optional(),
  /** The tool's name as the provider says it. */
  tool: z.string().max(200),
  /** One line for people, such as the command or the file. */
  title: storableText(LIMITS.title),
  /** The tool's arguments; a string with the JSON's beginning when it was too large. */
  input: Json,
  inputCut: z.boolean().default(false),
});
export const ToolReturned = z.object({
  kind: z.literal('tool-returned'),
  turnId: TurnId,
  toolCallId: ToolCallId,
  part: Part.optional(),
  output: storableText(LIMITS.blockText),
  failed: z.boolean(),
  outputCut: z.boolean().default(false),
});
export const TurnStarted = z.object({ kind: z.literal('turn-started'), turnId: TurnId });
export const TurnEnded = z.object({
  kind: z.literal('turn-ended'),
  turnId: TurnId,
  outcome: z.enum(['done', 'interrupted', 'failed']),
  failure: Failure.optional(),
  usage: Usage.optional(),
});
/** Something a person should know: a retry, a resumed session, an event we do not know. */
export const Notice = z.object({
  kind: z.literal('notice'),
  severity: z.enum(['info', 'warning', 'error']),
  /** Names the sentence in the dashboard's languages; `text` stands in where it is unknown. */
  code: z.string().max(80),
  params: z.record(z.string(), storableText(4_000)).default({}),
  text: storableText(4_000),
});

/** What a driver tells of its agent's work; stored as it is. */
export const AgentEvent = z.discriminatedUnion('kind', [
  TurnStarted,
  TextBlock,
  ThoughtBlock,
  ToolCalled,
  ToolReturned,
  TurnEnded,
  Notice,
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
export type AgentEventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

/** A piece of a block that is still being written: shown, never stored, and may be dropped. */
export const Delta = z.object({
  ...block,
  kind: z.enum(['text', 'thought', 'tool-input']),
  /** Where in the block this piece begins; a gap means: wait for the whole block. */
  offset: z.number().int().nonnegative(),
  text: z.string().max(LIMITS.blockText),
});
export type Delta = z.infer<typeof Delta>;
