import type { RelaySocket } from '../relays/relay-connections.js';

/** How long a holder of a key may take to answer before it counts as gone. */
const ANSWER_MS = 2_000;

/** Whether the other end of a connection lives: pings it on the level below socket.io's events. */
export function stillAnswers(socket: Pick<RelaySocket, 'conn'>): Promise<boolean> {
  const { conn } = socket;
  if (conn.readyState !== 'open') return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (answers: boolean): void => {
      clearTimeout(timer);
      conn.off('heartbeat', pong);
      conn.off('close', closed);
      resolve(answers);
    };
    const pong = (): void => end(true);
    const closed = (): void => end(false);
    const timer = setTimeout(closed, ANSWER_MS);
    conn.once('heartbeat', pong);
    conn.once('close', closed);
    conn['sendPacket']('ping');
  });
}
