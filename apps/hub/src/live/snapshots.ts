import { Injectable } from '@nestjs/common';
import type { DeviceSnapshot, PersonId } from '#contracts';
import { ConversationReads, LinkRestoration } from '#domain';
import { RelayDirectory } from '../relays/relay-directory.js';
import { EVERYBODY, roomOfPerson, type DeviceSocket } from './device-socket.js';
import { Rooms } from './rooms.js';
import { WayInNews } from './way-in-news.js';

/** Rows of the board's first page. */
const FIRST_PAGE = 50;

/** What a page needs before anything else: the whole inbox, the first page of the board, the relays. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly reads: ConversationReads,
    private readonly relays: RelayDirectory,
    private readonly rooms: Rooms,
    private readonly restoration: LinkRestoration,
    private readonly wayIn: WayInNews,
  ) {}

  /** Sends it and lets the socket into its person's rooms. */
  async give(socket: DeviceSocket): Promise<void> {
    const { personId } = socket.data.device;
    await this.rooms.enter({
      socket,
      rooms: [roomOfPerson(personId), EVERYBODY],
      read: () => this.of(personId),
      send: (snapshot) => socket.emit('snapshot', snapshot),
    });
  }

  private async of(personId: PersonId): Promise<DeviceSnapshot> {
    const [inbox, board, relays, wayIn, { current, restoredAt }] = await Promise.all([
      this.reads.inbox(personId),
      this.reads.board({ personId, archived: false, limit: FIRST_PAGE }),
      this.relays.list(),
      this.wayIn.of(personId),
      this.restoration.incarnations(),
    ]);
    return {
      ...{ inbox, board, relays, ...wayIn, now: inbox.now, incarnation: current },
      ...(restoredAt === undefined ? {} : { restoredAt }),
    };
  }
}
