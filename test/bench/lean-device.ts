import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import {
  DEVICE_NAMESPACE,
  DEVICE_PROTOCOL,
  type Answer,
  type Card,
  type CardRequest,
  type ConversationId,
  type DeviceToHubEvents,
  type HubToDeviceEvents,
} from '#contracts';
import type { DeviceClient } from '../support/device-client.js';

/**
 * A device that costs the measuring process little: it checks nothing of what it hears, as the page does, and keeps its
 * HTTP connection.
 */
export class LeanDevice {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly asked = new Map<ConversationId, (request: CardRequest) => void>();

  private constructor(
    private readonly device: DeviceClient,
    readonly socket: Socket<HubToDeviceEvents, DeviceToHubEvents>,
  ) {
    socket.on('inbox', ({ entries }) => {
      for (const { request: open } of entries) {
        if (open.status === 'open') this.asked.get(open.conversationId)?.(open);
      }
    });
  }

  /** @param device signed in; its own socket is not needed */
  static async connect(device: DeviceClient): Promise<LeanDevice> {
    const socket: Socket<HubToDeviceEvents, DeviceToHubEvents> = io(device.url + DEVICE_NAMESPACE, {
      transports: ['websocket'],
      extraHeaders: { origin: device.url },
      forceNew: true,
      reconnection: false,
      auth: { token: device.token, protocol: DEVICE_PROTOCOL },
    });
    const lean = new LeanDevice(device, socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('snapshot', () => resolve());
      socket.once('connect_error', reject);
    });
    return lean;
  }

  /** The next question of a conversation. */
  async nextRequest(conversationId: ConversationId): Promise<CardRequest> {
    const open = await new Promise<CardRequest>((resolve) =>
      this.asked.set(conversationId, resolve),
    );
    this.asked.delete(conversationId);
    return open;
  }

  /** @throws Error where the hub refuses it */
  async answer(card: Card, answer: Answer): Promise<void> {
    const signature = this.device.signDecision(card, { kind: 'answer', answer });
    const body = JSON.stringify({ version: card.version, answer, signature });
    const sent = request(`${this.device.url}/api/cards/${card.id}/answer`, {
      method: 'POST',
      agent: this.agent,
      headers: {
        origin: this.device.url,
        authorization: `Bearer ${this.device.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`the hub answered ${response.statusCode}`);
  }

  close(): void {
    this.socket.disconnect();
    this.agent.destroy();
  }
}
