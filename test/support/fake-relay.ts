import { generateKeyPairSync, randomBytes, randomUUID, sign, type KeyObject } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import {
  hubProofText,
  LINK_PROTOCOL,
  ProviderDescriptor,
  RELAY_NAMESPACE,
  relayProofText,
  ToolCallId,
  type Acknowledgement,
  type Attached,
  type ConversationId,
  type HubEnvelope,
  type HubMessage,
  type HubPlaces,
  type HubToRelayEvents,
  type LinkRefusal,
  type ProviderOnRelay,
  type Question,
  type Refused,
  type RelayAttach,
  type RelayCursor,
  type RelayId,
  type RelayMessage,
  type RelayToken,
  type RelayToHubEvents,
  type RelayMode,
} from '#contracts';
import { aQuestion } from './card-builders.js';
import { Heard } from './heard.js';

/** A provider that can do everything in autopilot and refuses the other modes. */
export const SCRIPTED: ProviderOnRelay = {
  descriptor: ProviderDescriptor.parse({
    id: 'scripted',
    label: 'Scripted',
    icon: '<path d="M0 0h24v24H0z"/>',
    models: [{ id: 'one', label: 'One' }],
    anyModel: false,
    settings: [],
    capabilities: {
      questions: true,
      severalAnswers: true,
      severalQuestions: true,
      thoughts: true,
      interrupt: true,
      resume: true,
      evidence: 'tool-result',
      questionSurvivesRestart: true,
      reportsCost: false,
      modes: {
        autopilot: true,
        ask: { refused: 'It has no gate for asking yet.' },
        plan: { refused: 'It has no gate for planning yet.' },
      },
    },
  }),
  status: {
    id: 'scripted' as never,
    client: { state: 'not-needed' },
    signedIn: 'yes',
    configured: [],
  },
};

/** The scripted provider with a gate for these modes besides. */
export function scriptedWithGate(...gated: RelayMode[]): ProviderOnRelay {
  const { descriptor } = SCRIPTED;
  const { capabilities } = descriptor;
  const kept = Object.fromEntries(gated.map((mode) => [mode, true as const]));
  const modes = { ...capabilities.modes, ...kept };
  return { ...SCRIPTED, descriptor: { ...descriptor, capabilities: { ...capabilities, modes } } };
}

interface Journal {
  epoch: number;
  sent: number;
  received: number;
}

/** The hub's acknowledgements and refusals, as they came. */
export interface Receipt {
  readonly upTo: readonly Acknowledgement[];
  readonly refused: readonly Refused[];
}

/** A relay that speaks the real link and runs no agents: the test says what they do. */
export class FakeRelay {
  readonly heard = new Heard<HubEnvelope>();
  readonly receipts = new Heard<Receipt>();
  readonly publicKey: string;
  readonly journals = new Map<ConversationId, Journal>();
  instance = randomUUID();
  id = '' as RelayId;
  socket: Socket<HubToRelayEvents, RelayToHubEvents> | undefined;
  /** Whether it acknowledges what the hub sends. */
  acknowledges = true;
  /** What it shows of earlier attaches (rule 7). */
  token: RelayToken | undefined;
  /** Whether it keeps the token that it is given, and says so. */
  keepsToken = true;
  /** Whether it tells its places in pages of one, of which the first comes with the attach. */
  tellsInPages = false;
  /** What it says of the hubs that it was attached to (rule 10); nothing, where the test says none. */
  met: Pick<RelayAttach, 'incarnation' | 'runs'> = {};
  private readonly key: KeyObject;

  constructor(private readonly providers: readonly ProviderOnRelay[] = [SCRIPTED]) {
    const pair = generateKeyPairSync('ed25519');
    this.key = pair.privateKey;
    this.publicKey = pair.publicKey.export({ format: 'jwk' }).x ?? '';
  }

  /** Connects and attaches; throws the hub's refusal. */
  async attach(url: string): Promise<Attached> {
    const answer = await this.tryToAttach(url);
    if ('code' in answer) throw new Error(`${answer.code}: ${answer.message}`);
    this.id = answer.relayId;
    if (this.keepsToken) {
      this.token = answer.nextToken;
      this.socket?.emit('token-kept');
    }
    return answer;
  }

  async tryToAttach(url: string): Promise<Attached | LinkRefusal> {
    const socket: Socket<HubToRelayEvents, RelayToHubEvents> = io(url + RELAY_NAMESPACE, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    this.socket = socket;
    socket.on('messages', ({ messages }) => this.take(messages));
    socket.on('acknowledged', (receipt) => this.receipts.add(receipt));
    const nonce = randomBytes(32).toString('base64url');
    const hello = { protocol: LINK_PROTOCOL, relayKey: this.publicKey, nonce };
    const proof = await socket.timeout(10_000).emitWithAck('hello', hello);
    if ('code' in proof) return proof;
    const text = relayProofText({
      hubNonce: proof.nonce,
      hubKey: proof.hubKey,
      relayKey: this.publicKey,
    });
    this.hubProof = {
      ...proof,
      text: hubProofText({ relayNonce: nonce, relayKey: this.publicKey }),
    };
    return socket.timeout(10_000).emitWithAck('attach', {
      signature: sign(null, Buffer.from(text), this.key).toString('base64url'),
      name: 'Test relay',
      instance: this.instance,
      version: '0.0.0',
      providers: [...this.providers],
      ...(this.tellsInPages
        ? { conversations: this.cursors().slice(0, 1), more: true }
        : { conversations: this.cursors() }),
      ...(this.token === undefined ? {} : { token: this.token }),
      ...this.met,
    });
  }
  /** The next pages of its places, after the one that came with its attach. */
  async tellPlaces(): Promise<HubPlaces[]> {
    const pages: HubPlaces[] = [];
    const rest = this.cursors().slice(1);
    for (let at = 0; at < Math.max(rest.length, 1); at += 1) {
      const page = { conversations: rest.slice(at, at + 1), more: at < rest.length - 1 };
      const answer = await this.socket?.timeout(10_000).emitWithAck('places', page);
      if (answer === undefined || 'code' in answer) throw new Error('no places were told');
      pages.push(answer);
    }
    return pages;
  }
  /** What the hub proved itself with. */
  hubProof: { hubKey: string; signature: string; text: string } | undefined;

  /** The next message of one conversation, numbered. */
  send(conversationId: ConversationId, ...messages: RelayMessage[]): number {
    const journal = this.journalOf(conversationId);
    const envelopes = messages.map((message) => {
      journal.sent += 1;
      return { conversationId, epoch: journal.epoch, n: journal.sent, message };
    });
    this.socket?.emit('messages', { messages: envelopes });
    return journal.sent;
  }

  /** Sends and waits until the hub has committed it. */
  async sendAndSettle(
    conversationId: ConversationId,
    ...messages: RelayMessage[]
  ): Promise<number> {
    const n = this.send(conversationId, ...messages);
    await this.acknowledgedUpTo(conversationId, n);
    return n;
  }

  async acknowledgedUpTo(conversationId: ConversationId, n: number): Promise<void> {
    await this.receipts.until(({ upTo }) =>
      upTo.some((one) => one.conversationId === conversationId && one.n >= n),
    );
  }

  /** The agent asks; gives the name of its tool call. */
  ask(conversationId: ConversationId, questions: Question[] = [aQuestion()]): ToolCallId {
    const toolCallId = ToolCallId.parse(`toolu_${randomUUID()}`);
    this.send(conversationId, { kind: 'ask', toolCallId, questions });
    return toolCallId;
  }

  /** The first message of a kind that the hub sent for a conversation. */
  async hear<K extends HubMessage['kind']>(
    conversationId: ConversationId,
    kind: K,
  ): Promise<Extract<HubMessage, { kind: K }>> {
    const envelope = await this.heard.until(
      (one) => one.conversationId === conversationId && one.message.kind === kind,
    );
    return envelope.message as Extract<HubMessage, { kind: K }>;
  }

  close(): void {
    this.socket?.disconnect();
  }

  journalOf(conversationId: ConversationId): Journal {
    const kept = this.journals.get(conversationId) ?? { epoch: 1, sent: 0, received: 0 };
    this.journals.set(conversationId, kept);
    return kept;
  }

  private cursors(): RelayCursor[] {
    return [...this.journals].map(([conversationId, journal]) => ({ conversationId, ...journal }));
  }

  /** Rule 1: takes the next number only, and acknowledges what it has. */
  private take(messages: readonly HubEnvelope[]): void {
    for (const envelope of messages) {
      const journal = this.journalOf(envelope.conversationId);
      if (envelope.epoch > journal.epoch) {
        Object.assign(journal, { epoch: envelope.epoch, sent: 0, received: 0 });
      }
      if (envelope.n === journal.received + 1) {
        journal.received = envelope.n;
        this.heard.add(envelope);
      }
      if (!this.acknowledges) continue;
      const { conversationId, epoch } = envelope;
      this.socket?.emit('acknowledged', { upTo: [{ conversationId, epoch, n: journal.received }] });
    }
  }
}
