import type { Usage } from '#contracts';
import type { Result } from './messages.js';

/** D10: what the client reported for a turn; what it did not report is absent. */
export class TurnUsage {
  #model: string | undefined;

  constructor(
    private readonly reportsCost: boolean,
    private costBefore: number,
  ) {}

  /** The client names the model at the start of a turn. */
  modelIs(model: string | undefined): void {
    this.#model = model ?? this.#model;
  }

  /** The client's cost is a running total of the session; a turn's is what it grew by. */
  of(result: Result): Usage {
    const { usage } = result;
    const total = result.total_cost_usd;
    const grown = total === undefined ? undefined : Math.max(0, total - this.costBefore);
    this.costBefore = total ?? this.costBefore;
    return defined({
      inputTokens: usage?.input_tokens,
      outputTokens: usage?.output_tokens,
      cacheReadTokens: usage?.cache_read_input_tokens,
      cacheWriteTokens: usage?.cache_creation_input_tokens,
      costUsd: this.reportsCost && grown !== undefined ? Number(grown.toFixed(8)) : undefined,
      model: this.#model,
    });
  }
}

function defined(fields: Record<string, string | number | null | undefined>): Usage {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}
