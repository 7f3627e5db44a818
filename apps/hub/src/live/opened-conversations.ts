import { Injectable } from '@nestjs/common';
import type { ConversationId, OpenedConversation, PersonId } from '#contracts';
import { ConversationReads, StoreUnavailable } from '#domain';
import { HubLog } from '../platform/hub-log.js';
import { roomOfConversation, type DeviceSocket } from './device-socket.js';
import { Rooms } from './rooms.js';

type Opened = Exclude<OpenedConversation, { kind: 'refused' }>;
const EVENTS_AN_EMIT = 20;

const NOT_FOUND: OpenedConversation = {
  kind: 'refused',
  code: 'NOT_FOUND',
  message: 'There is no such conversation.',
};
const UNAVAILABLE: OpenedConversation = {
  kind: 'refused',
  code: 'UNAVAILABLE',
  message: 'The conversation cannot be read at the moment.',
};

/** Conversations that devices have open: only these are followed event by event. */
@Injectable()
export class OpenedConversations {
  /** The last opening of each conversation on each socket; who closes it, or opens it anew, ends the one before. */
  private readonly openings = new WeakMap<DeviceSocket, Map<ConversationId, symbol>>();

  constructor(
    private readonly reads: ConversationReads,
    private readonly rooms: Rooms,
    private readonly log: HubLog,
  ) {}

  /** Answers with the events after `after`, then follows. */
  async open(of: {
    socket: DeviceSocket;
    conversationId: ConversationId;
    after: number;
    reply: (answer: OpenedConversation) => void;
  }): Promise<void> {
    const closed = this.close(of.socket, of.conversationId);
    const stays = this.begin(of.socket, of.conversationId);
    await closed;
    try {
      await this.enter(of.socket, { ...of, stays }, (opened) => of.reply(opened));
    } catch (error) {
      if (!(error instanceof NotThere)) this.complain(error);
      of.reply(error instanceof NotThere ? NOT_FOUND : UNAVAILABLE);
    }
  }

  async close(socket: DeviceSocket, conversationId: ConversationId): Promise<void> {
    socket.data.open.delete(conversationId);
    this.openingsOf(socket).delete(conversationId);
    await socket.leave(roomOfConversation(conversationId));
  }

  /** For a socket that was dropped: the events that it missed, or the newest where it missed too many. */
  async goOn(socket: DeviceSocket): Promise<void> {
    for (const [conversationId, after] of [...socket.data.open]) {
      // Closed while those before it were read.
      if (!socket.data.open.has(conversationId)) continue;
      try {
        const stays = this.begin(socket, conversationId);
        await this.enter(socket, { conversationId, after, stays }, ({ page: { events } }) => {
          for (let from = 0; from < events.length; from += EVENTS_AN_EMIT) {
            const batch = events.slice(from, from + EVENTS_AN_EMIT);
            socket.emit('events', { conversationId, events: batch });
          }
        });
      } catch (error) {
        if (error instanceof NotThere) {
          socket.data.open.delete(conversationId);
          continue;
        }
        // It would hear nothing of it any more: it is better off coming again.
        this.complain(error);
        socket.conn.close();
        return;
      }
    }
  }

  private async enter(
    socket: DeviceSocket,
    of: { conversationId: ConversationId; after: number; stays: () => boolean },
    send: (opened: Opened) => void,
  ): Promise<void> {
    const { conversationId, stays } = of;
    await this.rooms.enter({
      socket,
      stays,
      rooms: [roomOfConversation(of.conversationId)],
      read: () => this.read(of, socket.data.device.personId),
      send: (opened) => {
        send(opened);
        if (stays()) socket.data.open.set(conversationId, lastSent(opened, of.after));
      },
      wanted: (_event, payload, opened) =>
        !('events' in payload) || (payload.events.at(-1)?.n ?? 0) > lastSent(opened, of.after),
    });
  }

  /** @returns whether it has neither been closed nor opened anew since */
  private begin(socket: DeviceSocket, conversationId: ConversationId): () => boolean {
    const openings = this.openingsOf(socket);
    const opening = Symbol(conversationId);
    openings.set(conversationId, opening);
    return () => openings.get(conversationId) === opening;
  }

  private openingsOf(socket: DeviceSocket): Map<ConversationId, symbol> {
    const openings = this.openings.get(socket) ?? new Map<ConversationId, symbol>();
    this.openings.set(socket, openings);
    return openings;
  }

  private async read(
    of: { conversationId: ConversationId; after: number },
    personId: PersonId,
  ): Promise<Opened> {
    const [owned, opened] = await Promise.all([
      this.reads.conversation(of.conversationId),
      this.reads.open(of.conversationId, of.after),
    ]);
    if (owned?.personId !== personId || opened === undefined) throw new NotThere();
    return { kind: opened.replay ? 'replay' : 'snapshot', page: opened.page };
  }

  private complain(error: unknown): void {
    if (error instanceof StoreUnavailable) this.log.warn('a conversation could not be read');
    else this.log.error('a conversation could not be read', { error });
  }
}

const lastSent = (opened: Opened, after: number): number => opened.page.events.at(-1)?.n ?? after;

class NotThere extends Error {}
