import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { OnGatewayConnection, OnGatewayDisconnect, OnGatewayInit } from '@nestjs/websockets';
import { Ack } from '@nestjs/websockets';
import {
  CloseConversation,
  DEVICE_NAMESPACE,
  DEVICE_PROTOCOL,
  DeviceHandshake,
  OpenConversation,
  RenewToken,
  type OpenedConversation,
} from '#contracts';
import { Authenticate } from '../identity/authenticate.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { HubLog } from '../platform/hub-log.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { problemsInWords } from '../platform/schema-problems.js';
import { roomOfDevice, type DeviceNamespace, type DeviceSocket } from './device-socket.js';
import { OpenedConversations } from './opened-conversations.js';
import { Rooms } from './rooms.js';
import { Snapshots } from './snapshots.js';

/** Sockets that one device may hold at a time: tabs and windows, and some that are about to be noticed as gone. */
const SOCKETS_A_DEVICE = 32;
/** Conversations that one socket may follow. */
const OPEN_A_SOCKET = 50;

/** The live page: everything that a device is told without asking. */
@WebSocketGateway({ namespace: DEVICE_NAMESPACE })
export class DeviceGateway
  implements
    OnGatewayInit<DeviceNamespace>,
    OnGatewayConnection<DeviceSocket>,
    OnGatewayDisconnect<DeviceSocket>
{
  constructor(
    private readonly authenticate: Authenticate,
    private readonly rooms: Rooms,
    private readonly snapshots: Snapshots,
    private readonly opened: OpenedConversations,
    private readonly log: HubLog,
  ) {}

  afterInit(namespace: DeviceNamespace): void {
    this.rooms.serve(namespace, (socket) => void this.catchUp(socket));
    namespace.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(refusedHandshake(error)),
      );
    });
  }

  async handleConnection(socket: DeviceSocket): Promise<void> {
    const { device } = socket.data;
    await socket.join(roomOfDevice(device.deviceId));
    // Revoked between its handshake and here, it was not in the room of those that were signed out.
    if (await this.isGone(device)) {
      socket.emit('signed-out', { reason: 'revoked' });
      socket.disconnect(true);
      return;
    }
    await this.giveSnapshot(socket);
  }

  handleDisconnect(socket: DeviceSocket): void {
    clearTimeout(socket.data.tokenEnds);
  }

  @SubscribeMessage('open-conversation')
  async openConversation(
    @ConnectedSocket() socket: DeviceSocket,
    @MessageBody() body: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    if (!isReply<OpenedConversation>(ack)) return;
    const parsed = OpenConversation.safeParse(body);
    if (!parsed.success) {
      ack({ kind: 'refused', code: 'INVALID', message: problemsInWords(parsed.error) });
      return;
    }
    const { conversationId, after } = parsed.data;
    if (!socket.data.open.has(conversationId) && socket.data.open.size >= OPEN_A_SOCKET) {
      const message = `At most ${OPEN_A_SOCKET} conversations can be open at a time.`;
      ack({ kind: 'refused', code: 'INVALID', message });
      return;
    }
    await this.opened.open({ socket, conversationId, after, reply: ack });
  }

  @SubscribeMessage('close-conversation')
  async closeConversation(
    @ConnectedSocket() socket: DeviceSocket,
    @MessageBody() body: unknown,
  ): Promise<void> {
    const parsed = CloseConversation.safeParse(body);
    if (parsed.success) await this.opened.close(socket, parsed.data.conversationId);
  }

  /** A token of the same device takes the place of the one that is about to end. */
  @SubscribeMessage('renew-token')
  async renewToken(
    @ConnectedSocket() socket: DeviceSocket,
    @MessageBody() body: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    if (!isReply<{ ok: boolean }>(ack)) return;
    const parsed = RenewToken.safeParse(body);
    if (!parsed.success) {
      ack({ ok: false });
      return;
    }
    try {
      const device = await this.authenticate.device(parsed.data.token);
      const same = device.deviceId === socket.data.device.deviceId;
      if (same) this.endWithToken(socket, device.endsAt);
      ack({ ok: same });
    } catch {
      ack({ ok: false });
    }
  }

  private async admit(socket: DeviceSocket): Promise<void> {
    const handshake = DeviceHandshake.safeParse(socket.handshake.auth);
    if (!handshake.success) throw new HubRefusal('INVALID', problemsInWords(handshake.error));
    if (handshake.data.protocol !== DEVICE_PROTOCOL) {
      throw new HubRefusal(
        'INVALID',
        `This hub speaks protocol ${DEVICE_PROTOCOL}; reload the page.`,
      );
    }
    const device = await this.authenticate.device(handshake.data.token);
    const held = this.rooms.membersOf(roomOfDevice(device.deviceId)).length;
    if (held >= SOCKETS_A_DEVICE) {
      throw new HubRefusal('RATE_LIMITED', 'This device has too many pages open.');
    }
    socket.data = { device, open: new Map() };
    this.endWithToken(socket, device.endsAt);
  }

  /** Where that can't be told, the snapshot can't be given either, and the page comes again. */
  private async isGone(device: KnownDevice): Promise<boolean> {
    return !(await this.authenticate.isSignedIn(device).catch(() => true));
  }

  private endWithToken(socket: DeviceSocket, endsAt: number): void {
    clearTimeout(socket.data.tokenEnds);
    socket.data.tokenEnds = setTimeout(() => {
      socket.emit('signed-out', { reason: 'token-ended' });
      socket.disconnect(true);
    }, endsAt - Date.now()).unref();
  }

  private async catchUp(socket: DeviceSocket): Promise<void> {
    await this.giveSnapshot(socket);
    await this.opened.goOn(socket);
  }

  /** A page without its snapshot knows nothing: it is better off coming again. */
  private async giveSnapshot(socket: DeviceSocket): Promise<void> {
    try {
      await this.snapshots.give(socket);
    } catch (error) {
      this.log.warn('no snapshot could be given', { error });
      socket.conn.close();
    }
  }
}

/** The code in the page's `connect_error`, for it to act on. */
function refusedHandshake(error: unknown): Error {
  const code = error instanceof HubRefusal ? error.code : 'UNAVAILABLE';
  const message = error instanceof HubRefusal ? error.message : 'Try again in a moment.';
  return Object.assign(new Error(code), { data: { code, message } });
}

const isReply = <T>(ack: unknown): ack is (answer: T) => void => typeof ack === 'function';
