import type { ConversationState } from '../journal/journal-shapes.js';
import type { AgentProcess } from './agent-process.js';

export interface IdleSleepParts {
  readonly state: Readonly<ConversationState>;
  readonly idleMs: number;
  readonly process: Pick<AgentProcess, 'session' | 'isOutdated' | 'close'>;
  /** Whether something waits to be handed to the agent. */
  isBusy(): boolean;
}

/**
 * A session in which nothing happens and nothing waits is put to sleep after a while, and at once where its provider's
 * settings have changed. One with an open card never is (C17).
 */
export class IdleSleep {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: IdleSleepParts) {}

  /** To be called after whatever may have been the last thing that happens. */
  review(): void {
    const { idleMs, process } = this.parts;
    this.stop();
    if (!this.#isIdle()) return;
    if (process.isOutdated) return void process.close('settings-changed');
    this.#timer = setTimeout(() => {
      if (this.#isIdle()) void process.close('idle');
    }, idleMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #isIdle(): boolean {
    const { process, state } = this.parts;
    const quiet = state.turnId === undefined && state.waiting.length === 0;
    return quiet && !this.parts.isBusy() && process.session !== undefined;
  }
}
