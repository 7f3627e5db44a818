import { Injectable } from '@nestjs/common';
import type {
  CardRequest,
  Conversation,
  ConversationId,
  Delta,
  DeviceId,
  InboxEntry,
  LinkAlarm,
  PersonId,
  Relay,
  RequestId,
  StoredEvent,
} from '#contracts';
import type { Committed } from '#domain';
import { coalesced } from './coalesced-deltas.js';
import { EVERYBODY, roomOfConversation, roomOfDevice, roomOfPerson } from './device-socket.js';
import { Rooms } from './rooms.js';

/** stack.md: twenty events in one emit carry two to three times what single ones do. */
const EVENTS_AN_EMIT = 20;
/** The first change goes out at once; those that follow within these spans go out together. */
const ROWS_EVERY_MS = 50;
const DELTAS_EVERY_MS = 30;

/** What of one person's board and inbox waits to be told. */
interface Changes {
  readonly rows: Map<ConversationId, { conversation: Conversation; deleted: boolean }>;
  readonly requests: Map<RequestId, InboxEntry>;
  now: number;
}

/**
 * Tells devices what changed. What comes within one turn of the event loop goes out together and in order,
 * whichever write came back first; nothing is kept for a conversation at rest.
 */
@Injectable()
export class DeviceRooms {
  private readonly events = new Map<ConversationId, StoredEvent[]>();
  private readonly changes = new Map<PersonId, Changes>();
  private readonly deltas = new Map<ConversationId, Delta[]>();
  private flushDue = false;
  private readonly lastAt = { rows: -Infinity, deltas: -Infinity };
  private readonly timers: { rows?: NodeJS.Timeout; deltas?: NodeJS.Timeout } = {};

  constructor(private readonly rooms: Rooms) {}

  /** A committed write. */
  changed(committed: Committed): void {
    const { conversation, personId, deleted, events, requests } = committed;
    if (events.length > 0 && this.rooms.isHeard(roomOfConversation(conversation.id))) {
      const waiting = this.events.get(conversation.id);
      if (waiting === undefined) this.events.set(conversation.id, [...events]);
      else waiting.push(...events);
    }
    if (this.rooms.isHeard(roomOfPerson(personId))) {
      const changes = this.changesOf(personId);
      changes.now = Math.max(changes.now, events.at(-1)?.at ?? conversation.lastEventAt);
      keepNewer(changes.rows, conversation.id, { conversation, deleted });
      for (const request of requests) keepNewerRequest(changes, request, conversation);
    }
    this.flushSoon();
  }

  /** Pieces of blocks in the making; dropped when nobody looks. */
  streaming(conversationId: ConversationId, deltas: readonly Delta[]): void {
    if (!this.rooms.isHeard(roomOfConversation(conversationId))) return;
    this.deltas.set(conversationId, coalesced(this.deltas.get(conversationId) ?? [], deltas));
    this.spaced('deltas', DELTAS_EVERY_MS, () => this.flushDeltas());
  }

  /** A relay came, went, or has something new on its providers. */
  relay(relay: Relay): void {
    this.rooms.tell(EVERYBODY, 'relay', { relay });
  }

  /** Gives every device everything anew, in place of telling it each change. */
  everythingAnew(): void {
    this.rooms.giveAnew();
  }

  /** Every device proves itself anew (link rule 10). */
  endSessions(): void {
    for (const socket of this.rooms.everybody()) {
      socket.emit('signed-out', { reason: 'token-ended' });
      socket.disconnect(true);
    }
  }

  /** S1: what stands of links that were used again. */
  linkAlarms(personId: PersonId, alarms: LinkAlarm[]): void {
    this.rooms.tell(roomOfPerson(personId), 'link-alarms', { alarms });
  }

  /** Closes a device's sockets at once. */
  signOut(deviceId: DeviceId): void {
    for (const socket of this.rooms.membersOf(roomOfDevice(deviceId))) {
      socket.emit('signed-out', { reason: 'revoked' });
      socket.disconnect(true);
    }
  }

  private changesOf(personId: PersonId): Changes {
    const kept = this.changes.get(personId);
    if (kept !== undefined) return kept;
    const fresh: Changes = { rows: new Map(), requests: new Map(), now: 0 };
    this.changes.set(personId, fresh);
    return fresh;
  }

  private flushSoon(): void {
    if (this.flushDue) return;
    this.flushDue = true;
    setImmediate(() => {
      this.flushDue = false;
      this.flushEvents();
      this.flushInbox();
      this.spaced('rows', ROWS_EVERY_MS, () => this.flushRows());
    });
  }

  private flushEvents(): void {
    for (const [conversationId, unsorted] of this.events) {
      const room = roomOfConversation(conversationId);
      const events = unsorted.sort((a, b) => a.n - b.n);
      this.flushDeltasOf(conversationId);
      for (let from = 0; from < events.length; from += EVENTS_AN_EMIT) {
        const batch = events.slice(from, from + EVENTS_AN_EMIT);
        this.rooms.tell(room, 'events', { conversationId, events: batch });
      }
      const last = events.at(-1);
      if (last === undefined) continue;
      for (const socket of this.rooms.membersOf(room)) socket.data.open.set(conversationId, last.n);
    }
    this.events.clear();
  }

  private flushInbox(): void {
    for (const [personId, { requests, now }] of this.changes) {
      if (requests.size === 0) continue;
      // Closed ones go along whole: an inbox that still shows the card says who answered, and with what (C10).
      const entries = [...requests.values()];
      const ended = entries.filter((entry) => entry.request.status === 'closed');
      const closed = ended.map((entry) => entry.request.id);
      this.rooms.tell(roomOfPerson(personId), 'inbox', { entries, closed, now });
      requests.clear();
    }
  }

  private flushRows(): void {
    for (const [personId, { rows }] of this.changes) {
      if (rows.size === 0) continue;
      const all = [...rows.values()];
      const kept = all.filter((row) => !row.deleted).map((row) => row.conversation);
      const deleted = all.filter((row) => row.deleted).map((row) => row.conversation.id);
      this.rooms.tell(roomOfPerson(personId), 'board-rows', { conversations: kept, deleted });
    }
    this.changes.clear();
  }

  private flushDeltas(): void {
    for (const conversationId of [...this.deltas.keys()]) this.flushDeltasOf(conversationId);
  }

  private flushDeltasOf(conversationId: ConversationId): void {
    const deltas = this.deltas.get(conversationId);
    if (deltas === undefined) return;
    this.deltas.delete(conversationId);
    const room = roomOfConversation(conversationId);
    this.rooms.tellInPassing(room, 'deltas', { conversationId, deltas });
  }

  /** Runs `flush` at once when nothing ran within `span`, else once at its end. */
  private spaced(what: 'rows' | 'deltas', span: number, flush: () => void): void {
    if (this.timers[what] !== undefined) return;
    const run = (): void => {
      delete this.timers[what];
      this.lastAt[what] = performance.now();
      flush();
    };
    const wait = this.lastAt[what] + span - performance.now();
    if (wait <= 0) run();
    else this.timers[what] = setTimeout(run, wait).unref();
  }
}

function keepNewer<K, V extends { conversation: Conversation }>(
  map: Map<K, V>,
  key: K,
  value: V,
): void {
  const kept = map.get(key);
  if (kept === undefined || kept.conversation.version <= value.conversation.version) {
    map.set(key, value);
  }
}

function keepNewerRequest(
  changes: Changes,
  request: CardRequest,
  conversation: Conversation,
): void {
  const kept = changes.requests.get(request.id);
  if (kept !== undefined && kept.request.version > request.version) return;
  changes.requests.set(request.id, inboxEntry(request, conversation));
}

/** A request with what the inbox shows of its conversation. */
export function inboxEntry(request: CardRequest, conversation: Conversation): InboxEntry {
  const { id, title, provider, relayId, mode, folder } = conversation;
  return { request, conversation: { id, title, provider, relayId, mode, folder } };
}
