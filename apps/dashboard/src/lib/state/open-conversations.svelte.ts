import {
  type BoardRows,
  type CardRequest,
  type ConversationDeltas,
  type ConversationEvents,
  type ConversationId,
  type InboxEntry,
} from '#contracts';
import { SvelteMap } from 'svelte/reactivity';
import { type HubApi } from '../api/hub-api.js';
import { OpenConversation, type OpeningLine } from './open-conversation.svelte.js';

/** Conversations left not long ago stay live, so that going back shows them at once, at their place. */
const KEPT_OPEN = 4;

/** The conversations that this page follows live. */
class OpenConversations {
  readonly #open = new SvelteMap<ConversationId, OpenConversation>();
  #line: OpeningLine | undefined;
  #api: HubApi | undefined;

  connect(line: OpeningLine, api: HubApi): void {
    this.clear();
    this.#line = line;
    this.#api = api;
  }

  /** Follows a conversation from now on; undefined before the page is signed in. */
  follow(id: ConversationId): OpenConversation | undefined {
    if (this.#line === undefined || this.#api === undefined) return undefined;
    const held = this.#open.get(id);
    const conversation = held ?? new OpenConversation(id, this.#line, this.#api);
    // Moves it to the end: the first is the one that was left the longest ago.
    this.#open.delete(id);
    this.#open.set(id, conversation);
    this.#leaveOldest();
    if (held === undefined) void conversation.open();
    return conversation;
  }

  reopenAll(): void {
    for (const conversation of this.#open.values()) void conversation.open();
  }

  /** Nothing that was told holds any more. */
  forget(): void {
    for (const conversation of this.#open.values()) conversation.forget();
  }

  clear(): void {
    for (const conversation of this.#open.values()) conversation.close();
    this.#open.clear();
  }

  takeEvents({ conversationId, events }: ConversationEvents): void {
    this.#open.get(conversationId)?.takeEvents(events);
  }

  takeDeltas({ conversationId, deltas }: ConversationDeltas): void {
    this.#open.get(conversationId)?.takeDeltas(deltas);
  }

  takeRows({ conversations, deleted }: BoardRows): void {
    for (const row of conversations) this.#open.get(row.id)?.takeRow(row);
    for (const id of deleted) this.#open.get(id)?.vanished();
  }

  takeInbox(entries: readonly InboxEntry[]): void {
    for (const { request } of entries) this.takeRequest(request);
  }

  takeRequest(request: CardRequest): void {
    this.#open.get(request.conversationId)?.takeRequest(request);
  }

  #leaveOldest(): void {
    for (const [id, conversation] of this.#open) {
      if (this.#open.size <= KEPT_OPEN) return;
      conversation.close();
      this.#open.delete(id);
    }
  }
}

export const openConversations = new OpenConversations();
