import { z } from 'zod';

/**
 * What we read of the client's messages. Everything else in them is let through unread, so that an update
 * of the client breaks nothing here.
 */
const parent = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined);

export const ContentBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown().optional(),
    is_error: z.boolean().nullish(),
  }),
  z.object({ type: z.string() }).transform(({ type }) => ({ type: 'unknown' as const, of: type })),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

const content = z
  .union([z.string().transform(() => []), z.array(ContentBlock)])
  .nullish()
  .transform((blocks): ContentBlock[] => blocks ?? []);

const ModelTokens = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});

const StreamEvent = z.object({
  type: z.literal('stream_event'),
  parent_tool_use_id: parent,
  /** On the end of a message whose connection broke: the client asks the model to go on from there (0.3.332). */
  abandoned_blocks: z.unknown().optional(),
  event: z.object({
    type: z.string(),
    index: z.number().optional(),
    message: z.object({ id: z.string() }).optional(),
    content_block: z.object({ type: z.string(), id: z.string().optional() }).optional(),
    delta: z
      .object({
        type: z.string().optional(),
        text: z.string().optional(),
        thinking: z.string().optional(),
        partial_json: z.string().optional(),
      })
      .optional(),
  }),
});
export type StreamEvent = z.infer<typeof StreamEvent>;

const Assistant = z.object({
  type: z.literal('assistant'),
  parent_tool_use_id: parent,
  /** Set where the text is not the model's but tells of an error. */
  error: z.string().nullish(),
  uuid: z.string().optional(),
  message: z.object({ id: z.string().optional(), content }),
});
export type Assistant = z.infer<typeof Assistant>;

const User = z.object({
  type: z.literal('user'),
  parent_tool_use_id: parent,
  /** The client gives a message back once it has taken it out of its queue. */
  isReplay: z.boolean().optional(),
  uuid: z.string().optional(),
  message: z.object({ content }),
});
export type User = z.infer<typeof User>;

const Result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  /** Of the whole process, and of the session before it was resumed; not of the turn. */
  total_cost_usd: z.number().optional(),
  usage: ModelTokens.nullish(),
  modelUsage: z.record(z.string(), z.unknown()).optional(),
});
export type Result = z.infer<typeof Result>;

const System = z.object({
  type: z.literal('system'),
  subtype: z.string(),
  status: z.string().nullish(),
  attempt: z.number().optional(),
  max_retries: z.number().optional(),
  retry_delay_ms: z.number().optional(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
  content: z.string().optional(),
  text: z.string().optional(),
  model: z.string().optional(),
});
export type System = z.infer<typeof System>;

const Unknown = z
  .object({ type: z.string() })
  .transform(({ type }) => ({ type: 'unknown' as const, of: type }));

const ClientMessage = z.union([StreamEvent, Assistant, User, Result, System, Unknown]);
export type ClientMessage = z.infer<typeof ClientMessage> | { type: 'unreadable' };

export const readMessage = (message: unknown): ClientMessage =>
  ClientMessage.safeParse(message).data ?? { type: 'unreadable' };

const Echoed = z.object({ user_message_uuids: z.array(z.string()) });

/** The messages of ours that a message of the client's names as taken. */
export const takenMessages = (message: unknown): string[] =>
  Echoed.safeParse(message).data?.user_message_uuids ?? [];

/** The text of a tool's result: the client gives a string, or blocks of which some have no text. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (!Array.isArray(result)) return '';
  return result.map(blockText).join('\n');
}

const TextLike = z.object({ text: z.string() });
const Typed = z.object({ type: z.string() });

function blockText(block: unknown): string {
  const text = TextLike.safeParse(block);
  if (text.success) return text.data.text;
  return `[${Typed.safeParse(block).data?.type ?? 'unknown'}]`;
}
