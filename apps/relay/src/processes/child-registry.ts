import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { ConversationId } from '#contracts';
import { ProcessIdentity, identifyProcess, type ProcessRegistry } from '#provider-kit';
import { stopProcess } from './stop-process.js';

const Child = ProcessIdentity.extend({
  group: z.boolean(),
  what: z.string(),
  conversationId: z.string().optional(),
  /** In the environment of everything that it started (`newChildMark`). */
  mark: z.string().optional(),
});
export type Child = z.infer<typeof Child>;
const Children = z.array(Child);

export interface ChildRegistryOptions {
  /** The list could not be written, such as on a full disk; it is tried again until it can. */
  readonly trouble: (error: unknown) => void;
  readonly retryWriteMs?: number;
  /** Puts a text in the file's place, whole and on the disk; throws the system's error. */
  readonly write?: (file: string, text: string) => void;
}

/**
 * Every process that a driver has started, written down before it does anything (link rule 7), so that the next
 * life of the relay finds what a killed one left behind. What is known here never waits for the disk, and no
 * failure of the disk reaches a driver: it would lose a client that runs.
 */
export class ChildRegistry implements ProcessRegistry {
  readonly #children = new Map<number, Child>();
  readonly #scope = new AsyncLocalStorage<ConversationId>();
  readonly #options: Required<ChildRegistryOptions>;
  #again: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    options: Partial<ChildRegistryOptions> = {},
  ) {
    const defaults = { trouble: () => undefined, retryWriteMs: 2_000, write: writeWhole };
    this.#options = { ...defaults, ...options };
  }

  /** What an earlier life wrote down; nothing where the file is missing or unreadable. */
  static leftBehind(file: string): Child[] {
    try {
      return Children.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return [];
    }
  }

  /** Processes started within belong to this conversation. */
  within<T>(conversationId: ConversationId, work: () => Promise<T>): Promise<T> {
    return this.#scope.run(conversationId, work);
  }

  started(child: { pid: number; group: boolean; what: string; mark?: string }): void {
    const identity = identifyProcess(child.pid);
    if (identity === undefined) return;
    const conversationId = this.#scope.getStore();
    this.#children.set(child.pid, {
      ...child,
      ...identity,
      ...(conversationId !== undefined && { conversationId }),
    });
    this.#write();
  }

  ended(pid: number): void {
    if (this.#children.delete(pid)) this.#write();
  }

  /** Stops what still runs of a conversation, for a driver that did not do so itself. */
  async stopAllOf(conversationId: ConversationId): Promise<void> {
    const own = [...this.#children.values()].filter(
      (child) => child.conversationId === conversationId,
    );
    await Promise.all(own.map((child) => stopProcess(child)));
    for (const { pid } of own) this.ended(pid);
  }

  /** Stops every child that is left, at the relay's own end. */
  async stopAll(): Promise<void> {
    const left = [...this.#children.values()];
    await Promise.all(left.map((child) => stopProcess(child)));
    for (const { pid } of left) this.ended(pid);
  }

  #write(): void {
    clearTimeout(this.#again);
    const { trouble, retryWriteMs, write } = this.#options;
    try {
      write(this.file, JSON.stringify([...this.#children.values()]));
    } catch (error) {
      this.#again = setTimeout(() => this.#write(), retryWriteMs).unref();
      trouble(error);
    }
  }
}

function writeWhole(file: string, text: string): void {
  const making = `${file}.new`;
  const handle = openSync(making, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(making, file);
}
