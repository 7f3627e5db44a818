import {
  CardRequest,
  decisionText,
  type Answer,
  type Card,
  type CardId,
  type Decision,
  type PasskeyProof,
  type Verdict,
} from '#contracts';
import { settledBy } from '#domain';
import { SvelteMap } from 'svelte/reactivity';
import { z } from 'zod';
import { HubRefusal, HubUnreachable } from '../api/hub-refusal.js';
import { provePasskey } from '../auth/passkey-ceremony.js';
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

const PATIENCE_MS = 20_000;
const AGAIN_AFTER_MS = 700;

/** Whether a card was settled by this very decision, whose confirmation was lost on the way. */
function isOwn(request: CardRequest | undefined, cardId: CardId, decision: Decision): boolean {
  const settlement = request?.cards.find((card) => card.id === cardId)?.settlement;
  const by = settlement?.by.principal;
  if (by?.kind !== 'device' || by.deviceId !== hub.deviceId) return false;
  return settlement !== undefined && settledBy(settlement, decision);
}

const isPasskeyNeeded = (problem: unknown): boolean =>
  problem instanceof HubRefusal && problem.code === 'PASSKEY_NEEDED';

const textOf = (card: Card, decision: Decision): string =>
  decisionText({ cardId: card.id, version: card.version, decision });

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

  verdict(card: Card, verdict: Verdict): Promise<boolean> {
    return this.#decide(card, { kind: 'verdict', verdict });
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
      const { request } = await this.#sendPatiently(card, decision);
      take(request);
      this.#taken(card.id);
      return true;
    } catch (problem) {
      this.#refused(card.id, decision, problem);
      return false;
    }
  }

  /**
   * A hub that restarts is back in seconds: what did not reach it is sent again. That is safe, since the answer
   * names the card's version, and the same answer twice is one. Where the hub wants a passkey for it, the person is
   * asked for one, once.
   */
  async #sendPatiently(card: Card, decision: Decision) {
    let until = performance.now() + PATIENCE_MS;
    let passkey: PasskeyProof | undefined;
    for (;;) {
      try {
        return await api.decide(card, decision, passkey);
      } catch (problem) {
        if (passkey === undefined && isPasskeyNeeded(problem)) {
          passkey = await provePasskey(() => api.passkeyNonce(), textOf(card, decision));
          until = performance.now() + PATIENCE_MS;
          continue;
        }
        const mayReach = problem instanceof HubUnreachable && navigator.onLine;
        if (!mayReach || performance.now() > until) throw problem;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      }
    }
  }

  #taken(cardId: CardId): void {
    this.#attempts.delete(cardId);
    drafts.clear(`card.${cardId}`);
  }

  #refused(cardId: CardId, decision: Decision, problem: unknown): void {
    hub.noticed(problem);
    const phase = problem instanceof HubRefusal ? REFUSED_AS[problem.code] : undefined;
    const now =
      problem instanceof HubRefusal ? RequestInDetails.safeParse(problem.details).data : undefined;
    if (now !== undefined) take(now);
    if (phase === 'lost' && isOwn(now, cardId, decision)) {
      this.#taken(cardId);
      return;
    }
    this.#attempts.set(
      cardId,
      phase === undefined ? { phase: 'failed', decision, problem } : { phase, decision },
    );
  }
}

export const decisions = new Decisions();
