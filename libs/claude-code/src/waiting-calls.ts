import { ToolCallId, type GiveAnswer } from '#contracts';
import type { PermissionResult } from './sdk.js';

/** What the client gets for the end of the request that its call became. */
export type ToResult = (answer: GiveAnswer) => PermissionResult | Promise<PermissionResult>;

interface Waiting {
  toResult: ToResult;
  settle: (result: PermissionResult | Promise<PermissionResult>) => void;
  /** The client gave the call up; whether by an interrupt or because it died shows only afterwards. */
  aborted: boolean;
}

const GIVEN_UP: PermissionResult = {
  behavior: 'deny',
  message: 'The turn was stopped before anybody answered.',
  interrupt: true,
};
/** Where the answer could not be turned into a result, nothing is allowed. */
const NOT_TAKEN: PermissionResult = {
  behavior: 'deny',
  message: 'Not allowed: the decision could not be carried out. Ask again.',
};

/** Calls that the client waits in for a person, and those whose result was handed to it. */
export class WaitingCalls {
  readonly #waiting = new Map<ToolCallId, Waiting>();
  readonly #handed = new Set<ToolCallId>();

  get count(): number {
    return this.#waiting.size;
  }

  /** Waits for the answer. A second call of the same id takes the place of the first (C12). */
  wait(toolCallId: ToolCallId, signal: AbortSignal, toResult: ToResult): Promise<PermissionResult> {
    return new Promise((settle) => {
      const waiting: Waiting = { toResult, settle, aborted: false };
      this.#waiting.set(toolCallId, waiting);
      const giveUp = (): void => {
        waiting.aborted = true;
        settle(GIVEN_UP);
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Whether the client still waits in this call. */
  has(toolCallId: ToolCallId): boolean {
    return this.#waiting.get(toolCallId)?.aborted === false;
  }

  /** Hands the answer to the waiting call; false when none waits. */
  answer(result: GiveAnswer): boolean {
    const waiting = this.#waiting.get(result.toolCallId);
    if (waiting === undefined || waiting.aborted) return false;
    this.#waiting.delete(result.toolCallId);
    this.#handed.add(result.toolCallId);
    waiting.settle(resultOf(waiting.toResult, result));
    return true;
  }

  /** The client's stream shows a result of this call: what that means for us. */
  resultSeen(id: string): { toolCallId: ToolCallId; means: 'taken' | 'withdrawn' } | undefined {
    const toolCallId = ToolCallId.safeParse(id).data;
    if (toolCallId === undefined) return undefined;
    if (this.#handed.delete(toolCallId)) return { toolCallId, means: 'taken' };
    if (this.#waiting.get(toolCallId)?.aborted !== true) return undefined;
    this.#waiting.delete(toolCallId);
    return { toolCallId, means: 'withdrawn' };
  }

  /** The turn is over: what was given up in it will not come back. */
  turnEnded(): ToolCallId[] {
    const given = [...this.#waiting].filter(([, waiting]) => waiting.aborted).map(([id]) => id);
    for (const id of given) this.#waiting.delete(id);
    return given;
  }
}

async function resultOf(toResult: ToResult, answer: GiveAnswer): Promise<PermissionResult> {
  try {
    return await toResult(answer);
  } catch {
    return NOT_TAKEN;
  }
}
