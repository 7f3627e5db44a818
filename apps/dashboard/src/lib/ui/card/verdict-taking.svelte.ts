import { type Card, type Verdict } from '#contracts';
import { decisions } from '../../state/decisions.svelte.js';
import { drafts } from '../../state/draft-store.js';
import { settlingIn } from './settling-in.svelte.js';

/**
 * How a card takes a verdict: not before it has stood for a moment, one at a time, and what the person had written goes
 * once it is taken.
 *
 * @param draft the name that this is kept under
 */
export function verdictTaking(card: () => Card, draft: () => string) {
  const guard = settlingIn(() => card().version);
  const attempt = $derived(decisions.of(card().id));
  const sending = $derived(attempt?.phase === 'sending');
  const waits = $derived(sending || !guard.isReady);

  function decide(verdict: Verdict): void {
    if (waits) return;
    const kept = draft();
    void decisions.verdict(card(), verdict).then((done) => done && drafts.clear(kept));
  }

  return {
    get isReady() {
      return guard.isReady;
    },
    get attempt() {
      return attempt;
    },
    get sending() {
      return sending;
    },
    /** Whether nothing can be decided at this moment. */
    get waits() {
      return waits;
    },
    decide,
    /** What could not be sent, once more. */
    again(): void {
      if (attempt?.decision.kind === 'verdict') decide(attempt.decision.verdict);
    },
  };
}
