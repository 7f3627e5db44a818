import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConversationId, type RelayMessage } from '#contracts';
import { newConversationState } from '../../../apps/relay/src/journal/conversation-state.js';
import type { JournalStoreOptions } from '../../../apps/relay/src/journal/journal-store.js';
import { Journal } from '../../../apps/relay/src/journal/journal.js';
import { lastNumber } from '../../../apps/relay/src/journal/outgoing.js';
import { makeScratchFolder, type ScratchFolder } from '../scratch-folder.js';
import { FaultyDisk } from './faulty-disk.js';

const KB = 1024;

/** Small, so that a short journal has several segments. */
export const SMALL: Omit<JournalStoreOptions, 'disk' | 'trouble' | 'damaged'> = {
  segmentBytes: 4 * KB,
  restBytes: 3 * KB,
  keptMs: 1_000,
  keptBytes: 16 * KB,
  tailBytes: 2 * KB,
  retryWriteMs: 5,
  diskWaitMs: 50,
  lookOverMs: 0,
  now: () => Date.now(),
};

export const notice = (text: string): RelayMessage => ({
  kind: 'agent-events',
  events: [{ kind: 'notice', severity: 'info', code: 'x', params: {}, text }],
});

/** One journal in a scratch folder, on a disk that fails where it is told to. */
export class JournalRig {
  readonly disk = new FaultyDisk();
  readonly troubles: unknown[] = [];
  readonly damages: string[] = [];
  readonly id = ConversationId.parse(randomUUID());
  readonly #opened: Journal[] = [];

  private constructor(private readonly scratch: ScratchFolder) {}

  static async make(): Promise<JournalRig> {
    return new JournalRig(await makeScratchFolder());
  }

  get home(): string {
    return this.scratch.path;
  }

  get folder(): string {
    return path.join(this.home, 'journals', `${this.id}@1`);
  }

  get place(): { conversationId: ConversationId; epoch: number } {
    return { conversationId: this.id, epoch: 1 };
  }

  options(changed: Partial<JournalStoreOptions> = {}): JournalStoreOptions {
    return {
      ...SMALL,
      disk: this.disk,
      trouble: (error) => this.troubles.push(error),
      damaged: (_, file) => this.damages.push(path.basename(file)),
      ...changed,
    };
  }

  async create(changed: Partial<JournalStoreOptions> = {}): Promise<Journal> {
    const state = newConversationState(this.place);
    const journal = await Journal.create(this.folder, state, this.options(changed));
    this.#opened.push(journal);
    return journal;
  }

  async load(changed: Partial<JournalStoreOptions> = {}): Promise<Journal> {
    const loaded = await Journal.load(this.folder, this.place, this.options(changed));
    if (loaded === undefined) throw new Error('nothing to load');
    this.#opened.push(loaded.journal);
    return loaded.journal;
  }

  async files(): Promise<string[]> {
    return (await readdir(this.folder)).sort().map((name) => path.join(this.folder, name));
  }

  async newest(): Promise<string> {
    return (await this.files()).at(-1) ?? '';
  }

  /** A journal of 40 messages in several segments, closed. */
  async fortyMessages(): Promise<void> {
    const journal = await this.create({ keptBytes: 1e9 });
    for (let n = 1; n <= 40; n += 1) journal.send(notice(`message ${n}. ${'x'.repeat(400)}`));
    await journal.close();
  }

  async close(): Promise<void> {
    this.disk.mend();
    await Promise.all(this.#opened.splice(0).map((journal) => journal.abandon()));
    await this.scratch.remove();
  }
}

/** Changes a text in a file that is there once, as a disk does that goes bad. */
export async function damage(file: string, text: string, to: string): Promise<void> {
  const before = await readFile(file, 'latin1');
  if (!before.includes(text)) throw new Error(`${file} has no ${text}`);
  await writeFile(file, before.replace(text, to), 'latin1');
}

/** Everything that would be sent, from the beginning on. */
export async function allOutgoing(
  journal: Journal,
  maxBytes = 3 * KB,
): Promise<{ n: number; kind: string }[]> {
  const all: { n: number; kind: string }[] = [];
  for (let from = 1; from <= journal.state.sent; from = (all.at(-1)?.n ?? 0) + 1) {
    const found = await journal.outgoing(from, maxBytes);
    if (found.length === 0) break;
    for (const outgoing of found) {
      // A tombstone may stand for a run of numbers.
      for (let { n } = outgoing; n <= lastNumber(outgoing); n += 1) {
        all.push({ n, kind: outgoing.message.kind });
      }
    }
  }
  return all;
}
