import { createReadStream } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** How the client's own record tells of a call: it has our result, it was broken off, or nothing. */
export type RecordedResult = 'given' | 'broken-off' | 'none';

/**
 * The client's name for results that are none: the process died (`interrupted`, written on resume), or the
 * turn was interrupted (`user-rejected`). Our own refusals are recorded as `permission-rule`.
 */
const BROKEN_OFF = new Set(['interrupted', 'user-rejected']);
const SESSION_ID = /^[0-9a-fA-F-]{36}$/;
/** Results are appended, so the newest stand at the end; read first. */
const TAIL_BYTES = 4 * 1024 * 1024;

const ResultLine = z.object({
  type: z.literal('user'),
  toolDenialKind: z.string().optional(),
  message: z.object({
    content: z.array(z.object({ tool_use_id: z.string().optional() })),
  }),
});
const MessageLine = z.union([
  z.object({ type: z.literal('user'), uuid: z.string() }),
  z
    .object({ type: z.literal('attachment'), attachment: z.object({ source_uuid: z.string() }) })
    .transform(({ attachment }) => ({ type: 'user' as const, uuid: attachment.source_uuid })),
]);
const CostLine = z.object({ type: z.literal('cost-state'), totalCostUSD: z.number() });

/** The JSONL file in which the client keeps one session. */
export class Transcript {
  private constructor(readonly file: string) {}

  /** Undefined where the client has none: the session never had a message, or its folder was emptied. */
  static async find(configFolder: string, sessionRef: string): Promise<Transcript | undefined> {
    if (!SESSION_ID.test(sessionRef)) return undefined;
    const projects = join(configFolder, 'projects');
    for (const folder of await foldersIn(projects)) {
      const file = join(projects, folder, `${sessionRef}.jsonl`);
      if (await exists(file)) return new Transcript(file);
    }
    return undefined;
  }

  async resultOf(toolCallId: string): Promise<RecordedResult> {
    let found: RecordedResult = 'none';
    for await (const line of this.#lines()) {
      if (line.includes(toolCallId)) found = resultIn(line, toolCallId) ?? found;
    }
    return found;
  }

  /** {@link resultOf} for a result that was just appended. */
  async newResultOf(toolCallId: string): Promise<RecordedResult> {
    const lines = (await this.#tail()).split('\n').reverse();
    for (const line of lines) {
      const found = line.includes(toolCallId) ? resultIn(line, toolCallId) : undefined;
      if (found !== undefined) return found;
    }
    return 'none';
  }

  /** Whether a tool call that was just made stands in it; undefined while it does not. */
  async hasCall(toolCallId: string): Promise<true | undefined> {
    const quoted = JSON.stringify(toolCallId);
    return (await this.#tail()).includes(`"id":${quoted}`) ? true : undefined;
  }

  /** Whether a message of ours stands in it, by the id that it was sent with. */
  async hasMessage(messageId: string): Promise<boolean> {
    for await (const line of this.#lines()) {
      if (line.includes(messageId) && messageIn(line) === messageId) return true;
    }
    return false;
  }

  /** {@link hasMessage} for a message that was just appended; undefined while it was not. */
  async hasNewMessage(messageId: string): Promise<true | undefined> {
    const lines = (await this.#tail()).split('\n').reverse();
    const isIn = (line: string): boolean =>
      line.includes(messageId) && messageIn(line) === messageId;
    return lines.some(isIn) ? true : undefined;
  }

  /** US dollars that the client counts from when it resumes the session. */
  async costSoFar(): Promise<number> {
    let cost = 0;
    for await (const line of this.#lines()) {
      if (!line.includes('"cost-state"')) continue;
      cost = CostLine.safeParse(parsed(line)).data?.totalCostUSD ?? cost;
    }
    return cost;
  }

  #lines(): AsyncIterable<string> {
    return createInterface({ input: createReadStream(this.file, 'utf8'), crlfDelay: Infinity });
  }

  async #tail(): Promise<string> {
    const handle = await open(this.file, 'r');
    try {
      const { size } = await handle.stat();
      const length = Math.min(size, TAIL_BYTES);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8');
    } finally {
      await handle.close();
    }
  }
}

function resultIn(line: string, toolCallId: string): RecordedResult | undefined {
  const read = ResultLine.safeParse(parsed(line));
  if (!read.success) return undefined;
  const { message, toolDenialKind } = read.data;
  if (!message.content.some((block) => block.tool_use_id === toolCallId)) return undefined;
  return BROKEN_OFF.has(toolDenialKind ?? '') ? 'broken-off' : 'given';
}

const messageIn = (line: string): string | undefined =>
  MessageLine.safeParse(parsed(line)).data?.uuid;

/** A line that a kill cut short is no record of anything. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
