import { Injectable } from '@nestjs/common';
import type { HubToDeviceEvents } from '#contracts';
import {
  bytesBehind,
  EVERYBODY,
  type DeviceNamespace,
  type DeviceSocket,
} from './device-socket.js';

/** A socket that is this far behind gets nothing more until it has caught up by a snapshot. */
const DROPPED_AT = 1024 * 1024;
/** What may be dropped is not sent to a socket that is this far behind. */
const BUSY_AT = 64 * 1024;

type EventName = Exclude<keyof HubToDeviceEvents, 'snapshot' | 'signed-out'>;
type Payload<E extends EventName> = Parameters<HubToDeviceEvents[E]>[0];
type Held = { event: EventName; payload: Payload<EventName> }[];

/**
 * Who hears what. A socket joins a room together with what it must hold first: whatever is told to the room
 * while that is being read is held back and follows it, so that no old list ever brings back what a newer
 * event has taken away.
 */
@Injectable()
export class Rooms {
  private namespace: DeviceNamespace | undefined;
  private readonly holds = new Map<string, Set<Held>>();
  private whenCaughtUp: (socket: DeviceSocket) => void = () => undefined;

  /** @param whenCaughtUp called for a socket that was dropped out of its rooms and has now taken all it was sent */
  serve(namespace: DeviceNamespace, whenCaughtUp: (socket: DeviceSocket) => void): void {
    this.namespace = namespace;
    this.whenCaughtUp = whenCaughtUp;
  }

  /** Whether anybody would hear it. */
  isHeard(room: string): boolean {
    return this.holds.has(room) || (this.namespace?.adapter.rooms.has(room) ?? false);
  }

  /** Tells a room; encoded once for all of it. */
  tell<E extends EventName>(room: string, event: E, payload: Payload<E>): void {
    for (const socket of this.membersOf(room)) {
      if (bytesBehind(socket) >= DROPPED_AT) this.drop(socket);
    }
    this.emit(room, [], { event, payload });
    this.holds.get(room)?.forEach((held) => held.push({ event, payload }));
  }

  /** Tells what is shown and forgotten to those of a room who keep up. */
  tellInPassing<E extends EventName>(room: string, event: E, payload: Payload<E>): void {
    const busy = this.membersOf(room).filter((socket) => bytesBehind(socket) >= BUSY_AT);
    this.emit(
      room,
      busy.map((socket) => socket.id),
      { event, payload },
    );
  }

  /** Every connected device, whatever rooms it is in. */
  everybody(): DeviceSocket[] {
    return [...(this.namespace?.sockets.values() ?? [])];
  }

  membersOf(room: string): DeviceSocket[] {
    const ids = this.namespace?.adapter.rooms.get(room) ?? [];
    return [...ids].flatMap((id) => this.namespace?.sockets.get(id) ?? []);
  }

  /**
   * Lets a socket into a room: `read` first, then `send` with what was read, then whatever was told meanwhile.
   * What `wanted` refuses is left out, being part of what was read.
   */
  async enter<T>(of: {
    socket: DeviceSocket;
    rooms: readonly string[];
    read: () => Promise<T>;
    send: (read: T) => void;
    /** Asked once it was read: whether the socket still wants in. */
    stays?: () => boolean;
    wanted?: (event: EventName, payload: Payload<EventName>, read: T) => boolean;
  }): Promise<void> {
    const held: Held = [];
    of.rooms.forEach((room) => this.hold(room, held));
    try {
      const read = await of.read();
      of.send(read);
      if (of.stays?.() === false) return;
      for (const { event, payload } of held) {
        if (of.wanted?.(event, payload, read) !== false) of.socket.emit(event, payload as never);
      }
      if (of.socket.connected) void of.socket.join([...of.rooms]);
    } finally {
      of.rooms.forEach((room) => this.release(room, held));
    }
  }

  /** Every socket catches up as one does that was dropped. */
  giveAnew(): void {
    for (const socket of this.everybody()) {
      leaveRooms(socket);
      this.whenCaughtUp(socket);
    }
  }

  private emit(
    room: string,
    except: string[],
    of: { event: EventName; payload: Payload<EventName> },
  ): void {
    this.namespace
      ?.to(room)
      .except(except)
      .emit(of.event, of.payload as never);
  }

  private hold(room: string, held: Held): void {
    const holds = this.holds.get(room) ?? new Set<Held>();
    this.holds.set(room, holds.add(held));
  }

  private release(room: string, held: Held): void {
    const holds = this.holds.get(room);
    holds?.delete(held);
    if (holds?.size === 0) this.holds.delete(room);
  }

  private drop(socket: DeviceSocket): void {
    leaveRooms(socket);
    const drained = (): void => {
      if (bytesBehind(socket) >= BUSY_AT) return;
      socket.conn.off('drain', drained);
      if (socket.connected) this.whenCaughtUp(socket);
    };
    socket.conn.on('drain', drained);
  }
}

/** The socket stays connected and in its device's room, so that it can still be signed out. */
function leaveRooms(socket: DeviceSocket): void {
  for (const room of socket.rooms) {
    if (room.startsWith('conversation:') || room.startsWith('person:') || room === EVERYBODY) {
      void socket.leave(room);
    }
  }
}
