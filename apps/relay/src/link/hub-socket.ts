import { io, type Socket } from 'socket.io-client';
import { RELAY_NAMESPACE, type HubToRelayEvents, type RelayToHubEvents } from '#contracts';

export type HubSocket = Socket<HubToRelayEvents, RelayToHubEvents>;

/** A socket to the hub's namespace for relays; it comes back by itself, ever slower, with some chance in it. */
export function makeHubSocket(hubUrl: string): HubSocket {
  return io(new URL(RELAY_NAMESPACE, hubUrl).href, {
    transports: ['websocket'],
    autoConnect: false,
    reconnectionDelay: 200,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 0.5,
    forceNew: true,
  });
}
