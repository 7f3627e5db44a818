import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { ChildToSupervisor, type Door } from '#contracts';
import type { TakesSockets } from './front-door.js';

interface OnItsWay {
  readonly socket: Socket;
  readonly refused: () => void;
}

/**
 * Hands sockets to a child, and keeps each one until the child says that it has taken it.
 *
 * A child that was killed takes in what is sent to it for a moment longer, and a socket that goes down with it would
 * hang for ever: neither answered nor closed. So a socket that was not taken when the child ends comes back, unread.
 */
export class ChildSockets implements TakesSockets {
  readonly #child: ChildProcess;
  readonly #onTheirWay = new Map<number, OnItsWay>();
  #sent = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => this.#hear(message));
    // Not `disconnect`: with a socket under way Node never says it. Two turns later all that it said has been read.
    child.once('exit', () => setImmediate(() => setImmediate(() => this.#takeBack())));
  }

  take(socket: Socket, refused: () => void, door: Door = 'loopback'): void {
    if (!this.#child.connected) {
      refused();
      return;
    }
    this.#sent += 1;
    const n = this.#sent;
    this.#onTheirWay.set(n, { socket, refused });
    this.#child.send({ kind: 'connection', n, door }, socket, { keepOpen: true }, (error) => {
      if (error !== null) this.#refuse(n);
    });
  }

  #hear(message: unknown): void {
    const said = ChildToSupervisor.safeParse(message);
    if (!said.success || said.data.kind !== 'taken') return;
    // Closes our end of it only; the child has its own.
    this.#onTheirWay.get(said.data.n)?.socket.destroy();
    this.#onTheirWay.delete(said.data.n);
  }

  #takeBack(): void {
    for (const n of [...this.#onTheirWay.keys()]) this.#refuse(n);
  }

  #refuse(n: number): void {
    const on = this.#onTheirWay.get(n);
    this.#onTheirWay.delete(n);
    on?.refused();
  }
}
