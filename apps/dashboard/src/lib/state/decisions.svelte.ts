import { CardRequest, type Answer, type Card, type CardId, type Decision } from '#contracts';
import { SvelteMap } from 'svelte/reactivity';
import { z } from 'zod';
import { HubRefusal } from '../api/hub-refusal.js';
import { drafts } from './draft-store.js';
import { api, hub } from './hub.svelte.js';
import { inbox } from './inbox.svelte.js';
import { openConversations } from './open-conversations.svelte.js';

/** How this page's tap on a card fares. */
export type Attempt =
  | { readonly phase: 'sending'; readonly decision: Decision }
  /** Somebody else was first, or the card had ended; the card as it stands says the rest (C10). */
  | { readonly phase: 'lost'; readonly decision: Decision }
  /** The card changed under the finger (C15). */
  | { readonly phase: 'stale'; readonly decision: Decision }
  | { readonly phase: 'failed'; readonly decision: Decision; readonly problem: unknown };

/** The refusals say what the card looks like now, in one of these forms. */
const RequestInDetails = z.union([
  CardRequest,
  z.object({ request: CardRequest }).transform((of) => of.request),
]);

const REFUSED_AS: { readonly [code: string]: 'lost' | 'stale' } = {
  ALREADY_SETTLED: 'lost',
  DEADLINE_PASSED: 'lost',
  STALE_VERSION: 'stale',
};

function take(request: CardRequest): void {
  inbox.takeRequest(request);
  openConversations.takeRequest(request);
}

/** What this page has decided and is not yet, or will not be, so. One attempt a card: a double click is one. */
class Decisions {
  readonly #attempts = new SvelteMap<CardId, Attempt>();

  of(cardId: CardId): Attempt | undefined {
    return this.#attempts.get(cardId);
  }

  answer(card: Card, answer: Answer): Promise<boolean> {
    return this.#decide(card, { kind: 'answer', answer });
  }

  skip(card: Card): Promise<boolean> {
    return this.#decide(card, { kind: 'skip' });
  }

  /** Puts an attempt's outcome out of sight, once it was read. */
  forget(cardId: CardId): void {
    if (this.#attempts.get(cardId)?.phase !== 'sending') this.#attempts.delete(cardId);
  }

  async #decide(card: Card, decision: Decision): Promise<boolean> {
    if (this.#attempts.get(card.id)?.phase === 'sending') return false;
    this.#attempts.set(card.id, { phase: 'sending', decision });
    try {
      const { request } = await this.#send(card, decision);
      take(request);
      this.#attempts.delete(card.id);
      drafts.clear(`card.${card.id}`);
      return true;
    } catch (problem) {
      this.#refused(card.id, decision, problem);
      return false;
    }
  }

  #send(card: Card, decision: Decision) {
    return decision.kind === 'skip'
      ? api.skip(card.id, card.version)
      : api.answer(card.id, card.version, decision.answer);
  }

  #refused(cardId: CardId, decision: Decision, problem: unknown): void {
    hub.noticed(problem);
    const phase = problem instanceof HubRefusal ? REFUSED_AS[problem.code] : undefined;
    if (problem instanceof HubRefusal) {
      const now = RequestInDetails.safeParse(problem.details);
      if (now.success) take(now.data);
    }
    this.#attempts.set(
      cardId,
      phase === undefined ? { phase: 'failed', decision, problem } : { phase, decision },
    );
  }
}

export const decisions = new Decisions();
