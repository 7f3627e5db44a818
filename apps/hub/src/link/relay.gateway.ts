import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  Ack,
} from '@nestjs/websockets';
import type { OnGatewayConnection, OnGatewayDisconnect } from '@nestjs/websockets';
import { z } from 'zod';
import {
  Acknowledgement,
  ProviderStatus,
  RELAY_NAMESPACE,
  RelayAttach,
  RelayDeltas,
  RelayHello,
  RelayPlaces,
  type Attached,
  type ConversationId,
  type Delta,
  type HubPlaces,
  type HubProof,
  type LinkRefusal,
} from '#contracts';
import { HubLog } from '../platform/hub-log.js';
import { problemsInWords } from '../platform/schema-problems.js';
import type { RelaySocket } from '../relays/relay-connections.js';
import { AttachRelay } from './attach-relay.js';
import { RelayTraffic } from './relay-traffic.js';

/** Who has not attached by then is sent away. */
const ATTACH_WITHIN_MS = 15_000;
/** Envelopes of one frame. */
const Messages = z.object({ messages: z.array(z.unknown()).max(1_000) });
const Acknowledgements = z.object({ upTo: z.array(Acknowledgement).max(10_000) });

/** The hub's end of the link to relays. */
@WebSocketGateway({ namespace: RELAY_NAMESPACE })
export class RelayGateway
  implements OnGatewayConnection<RelaySocket>, OnGatewayDisconnect<RelaySocket>
{
  constructor(
    private readonly attaching: AttachRelay,
    private readonly traffic: RelayTraffic,
    private readonly log: HubLog,
  ) {}

  handleConnection(socket: RelaySocket): void {
    const late = setTimeout(() => {
      if (socket.data.attached === undefined) socket.disconnect(true);
    }, ATTACH_WITHIN_MS).unref();
    socket.once('disconnect', () => clearTimeout(late));
  }

  async handleDisconnect(socket: RelaySocket): Promise<void> {
    await this.traffic.end(socket);
  }

  @SubscribeMessage('hello')
  async hello(
    @ConnectedSocket() socket: RelaySocket,
    @MessageBody() body: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    if (!isReply<HubProof | LinkRefusal>(ack)) return;
    const hello = RelayHello.safeParse(body);
    if (!hello.success)
      ack({ code: 'INVALID', message: problemsInWords(hello.error).slice(0, 1_000) });
    else await this.orGone(socket, async () => ack(await this.attaching.prove(socket, hello.data)));
  }

  @SubscribeMessage('attach')
  async attach(
    @ConnectedSocket() socket: RelaySocket,
    @MessageBody() body: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    if (!isReply<Attached | LinkRefusal>(ack)) return;
    const attach = RelayAttach.safeParse(body);
    if (!attach.success) {
      ack({ code: 'INVALID', message: problemsInWords(attach.error).slice(0, 1_000) });
      return;
    }
    await this.orGone(socket, async () => {
      const attached = await this.attaching.attach(socket, attach.data);
      if ('code' in attached) {
        this.log.warn('a relay was refused', { code: attached.code });
        ack(attached);
        return;
      }
      // It left meanwhile, and has been taken out.
      if (!socket.connected) return;
      ack(attached.answer);
      this.traffic.begin(socket, attached);
      this.traffic.has(attached.relay.id, attach.data.conversations);
    });
  }

  @SubscribeMessage('places')
  async places(
    @ConnectedSocket() socket: RelaySocket,
    @MessageBody() body: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    if (!isReply<HubPlaces>(ack)) return;
    const page = this.parsed(socket, 'places', RelayPlaces.safeParse(body));
    if (page === undefined) return;
    await this.orGone(socket, async () => {
      const placed = await this.attaching.places(socket, page);
      ack(placed.answer);
      if (placed.isAll) this.traffic.open(socket, placed.relay);
      this.traffic.has(placed.relay.id, page.conversations);
    });
  }

  @SubscribeMessage('token-kept')
  async tokenKept(@ConnectedSocket() socket: RelaySocket): Promise<void> {
    await this.orGone(socket, () => this.attaching.tokenKept(socket));
  }

  @SubscribeMessage('messages')
  messages(@ConnectedSocket() socket: RelaySocket, @MessageBody() body: unknown): void {
    const batch = this.parsed(socket, 'messages', Messages.safeParse(body));
    if (batch !== undefined) this.traffic.messages(socket, batch.messages);
  }

  @SubscribeMessage('acknowledged')
  acknowledged(@ConnectedSocket() socket: RelaySocket, @MessageBody() body: unknown): void {
    const batch = this.parsed(socket, 'acknowledged', Acknowledgements.safeParse(body));
    if (batch !== undefined) this.traffic.acknowledged(socket, batch.upTo);
  }

  @SubscribeMessage('deltas')
  deltas(@ConnectedSocket() socket: RelaySocket, @MessageBody() body: unknown): void {
    const batch = this.parsed(socket, 'deltas', RelayDeltas.safeParse(body));
    if (batch === undefined) return;
    const byConversation = new Map<ConversationId, Delta[]>();
    for (const { conversationId, delta } of batch.deltas) {
      const run = byConversation.get(conversationId);
      if (run === undefined) byConversation.set(conversationId, [delta]);
      else run.push(delta);
    }
    for (const [id, deltas] of byConversation) this.traffic.deltas(socket, id, deltas);
  }

  @SubscribeMessage('provider-status')
  providerStatus(@ConnectedSocket() socket: RelaySocket, @MessageBody() body: unknown): void {
    const status = this.parsed(socket, 'provider-status', ProviderStatus.safeParse(body));
    if (status !== undefined) this.traffic.providerStatus(socket, status);
  }

  /** What is no frame of the link is dropped; what is not acknowledged comes again. */
  private parsed<T>(
    socket: RelaySocket,
    event: string,
    result: z.ZodSafeParseResult<T>,
  ): T | undefined {
    if (socket.data.attached === undefined) return undefined;
    if (result.success) return result.data;
    const problem = problemsInWords(result.error);
    this.log.warn('a frame of the link was dropped', { event, problem });
    return undefined;
  }

  /** A relay that can't be served now is let go; it comes again. */
  private async orGone(socket: RelaySocket, serve: () => Promise<void>): Promise<void> {
    try {
      await serve();
    } catch (error) {
      this.log.warn('a relay could not be attached', { error });
      socket.conn.close();
    }
  }
}

const isReply = <T>(ack: unknown): ack is (answer: T) => void => typeof ack === 'function';
