import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type {
  ConversationId,
  DeviceId,
  DeviceToHubEvents,
  HubToDeviceEvents,
  PersonId,
} from '#contracts';
import type { KnownDevice } from '../identity/device-directory.js';

/** What is kept of a connected device. */
export interface DeviceSocketData {
  device: KnownDevice;
  /** Number of the last event sent, for each conversation that it has open. */
  open: Map<ConversationId, number>;
  /** Ends the socket when its token ends. */
  tokenEnds?: NodeJS.Timeout;
}

export type DeviceNamespace = Namespace<
  DeviceToHubEvents,
  HubToDeviceEvents,
  DefaultEventsMap,
  DeviceSocketData
>;
export type DeviceSocket = Socket<
  DeviceToHubEvents,
  HubToDeviceEvents,
  DefaultEventsMap,
  DeviceSocketData
>;

/** Everybody who is signed in. */
export const EVERYBODY = 'everybody';
export const roomOfPerson = (id: PersonId): string => `person:${id}`;
export const roomOfDevice = (id: DeviceId): string => `device:${id}`;
export const roomOfConversation = (id: ConversationId): string => `conversation:${id}`;

/** Bytes that were sent to a socket and have not left this process. */
export function bytesBehind(socket: Pick<DeviceSocket, 'conn'>): number {
  const { conn } = socket;
  const transport = conn.transport as { socket?: { bufferedAmount?: number } };
  const waiting: readonly { data?: unknown }[] = conn['writeBuffer'];
  return waiting.reduce(
    (bytes, packet) => bytes + (typeof packet.data === 'string' ? packet.data.length : 0),
    transport.socket?.bufferedAmount ?? 0,
  );
}
