import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import type { ConversationId } from '#contracts';
import { newConversationState } from './conversation-state.js';
import { Journal, type JournalOptions } from './journal.js';
import { syncFolder } from './segment-writer.js';

/** `<conversation>@<epoch>`: an epoch has numbers of its own, so it has a journal of its own (link rules 1, 2). */
const FOLDER = /^[0-9a-f-]{36}@\d+$/;
const READ_AT_ONCE = 32;

/** The journals of all conversations on this machine, a folder each. */
export class JournalStore {
  readonly #open = new Set<Journal>();
  readonly #folder: string;
  readonly #aside: string;

  constructor(
    home: string,
    private readonly options: JournalOptions,
  ) {
    this.#folder = path.join(home, 'journals');
    this.#aside = path.join(home, 'journals-put-aside');
  }

  /** Reads what an earlier life of the relay left, and clears away what was put aside long ago. */
  async loadAll(): Promise<Journal[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await mkdir(this.#aside, { recursive: true, mode: 0o700 });
    await this.#clearAside();
    const limit = pLimit(READ_AT_ONCE);
    const names = (await readdir(this.#folder)).filter((name) => FOLDER.test(name));
    const loaded = await Promise.all(names.map((name) => limit(() => this.#load(name))));
    return loaded.filter((journal) => journal !== undefined);
  }

  async create(of: {
    conversationId: ConversationId;
    epoch: number;
    /** Numbers that the hub has seen in an epoch whose journal was lost. */
    sent?: number;
    received?: number;
  }): Promise<Journal> {
    const { conversationId, epoch, sent = 0, received = 0 } = of;
    const folder = path.join(this.#folder, `${conversationId}@${epoch}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const state = {
      ...newConversationState({ conversationId, epoch }),
      sent,
      acked: sent,
      received,
    };
    const journal = await Journal.create(folder, state, this.options);
    await syncFolder(this.#folder);
    this.#open.add(journal);
    return journal;
  }

  /** For a stale epoch: the journal is kept for a while but never played again (link rule 2). */
  async putAside(journal: Journal): Promise<void> {
    await this.#letGo(journal);
    const name = `${path.basename(journal.folder)}.${randomUUID()}`;
    await rename(journal.folder, path.join(this.#aside, name));
  }

  /** For a conversation that was deleted. */
  async remove(journal: Journal): Promise<void> {
    await this.#letGo(journal);
    await rm(journal.folder, { recursive: true, force: true });
  }

  /** To be noted whenever a journal is written to, so that {@link sweep} looks after it. */
  touched(journal: Journal): void {
    this.#open.add(journal);
  }

  /** Syncs what was only written, and gives back the files of conversations for which `rests` says so. */
  async sweep(rests: (journal: Journal) => boolean): Promise<void> {
    for (const journal of [...this.#open]) {
      if (!rests(journal)) {
        await journal.sync();
        continue;
      }
      await journal.rest();
      if (!journal.isOpen) this.#open.delete(journal);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((journal) => journal.close()));
    this.#open.clear();
  }

  async #load(name: string): Promise<Journal | undefined> {
    const folder = path.join(this.#folder, name);
    const journal = await Journal.load(folder, this.options);
    if (journal === undefined) await rm(folder, { recursive: true, force: true });
    return journal;
  }

  async #letGo(journal: Journal): Promise<void> {
    this.#open.delete(journal);
    await journal.abandon();
  }

  async #clearAside(): Promise<void> {
    for (const name of await readdir(this.#aside)) {
      const folder = path.join(this.#aside, name);
      const { mtimeMs } = await stat(folder);
      if (this.options.now() - mtimeMs < this.options.keptMs) continue;
      await rm(folder, { recursive: true, force: true });
    }
  }
}
