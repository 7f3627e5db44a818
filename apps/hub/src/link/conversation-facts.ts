import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  CARD_WAITS_MS,
  type Conversation,
  type ConversationId,
  type Duration,
  type ProviderId,
  type RelayId,
} from '#contracts';
import { ConversationReads } from '#domain';
import { RelayDirectory } from '../relays/relay-directory.js';

/** What of a conversation never changes while a relay runs it. */
interface Facts {
  readonly provider: ProviderId;
  readonly relayId: RelayId;
}

/** Facts of the conversations that talked last, so that a question costs no query of its own. */
@Injectable()
export class ConversationFacts {
  private readonly kept = new LRUCache<ConversationId, Facts>({ max: 2_000 });

  constructor(
    private readonly reads: ConversationReads,
    private readonly relays: RelayDirectory,
  ) {}

  learn({ id, provider, relayId }: Conversation): void {
    if (!this.kept.has(id)) this.kept.set(id, { provider, relayId });
  }

  /** Whether the relay runs it, as far as is known without asking. */
  runsOn(id: ConversationId, relayId: RelayId): boolean {
    return this.kept.get(id)?.relayId === relayId;
  }

  /** How long its provider's cards wait where a call says nothing (C7). */
  async cardWaits(id: ConversationId): Promise<Duration> {
    const facts = this.kept.get(id) ?? (await this.read(id));
    if (facts === undefined) return CARD_WAITS_MS;
    const descriptor = await this.relays.descriptor(facts.relayId, facts.provider);
    return descriptor?.cardWaits ?? CARD_WAITS_MS;
  }

  private async read(id: ConversationId): Promise<Facts | undefined> {
    const found = await this.reads.conversation(id);
    if (found !== undefined) this.learn(found.conversation);
    return found?.conversation;
  }
}
