import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  hubProofText,
  LINK_PROTOCOL,
  relayProofText,
  type Attached,
  type HubCursor,
  type HubProof,
  type LinkRefusal,
  type RelayAttach,
  type RelayCursor,
  type RelayHello,
} from '#contracts';
import { ConversationReads, LinkStore, RelayStore, type LinkCursor } from '#domain';
import { HubKey } from '../platform/hub-key.js';
import {
  RelayConnections,
  type AttachedRelay,
  type RelaySocket,
} from '../relays/relay-connections.js';
import { stillAnswers } from './still-answers.js';

const refusal = (code: LinkRefusal['code'], message: string): LinkRefusal => ({ code, message });

/** What an attach gave: the relay as it is from here on, and both ends' places. */
export interface AttachedNow {
  readonly relay: AttachedRelay;
  readonly answer: Attached;
  /** How far the relay has what this hub sent, for those conversations that it has not all of. */
  readonly behind: readonly { conversationId: HubCursor['conversationId']; received: number }[];
}

/** link.7, link.8: both sides prove who they are; one relay holds a key. */
@Injectable()
export class AttachRelay {
  constructor(
    private readonly key: HubKey,
    private readonly relays: RelayStore,
    private readonly connections: RelayConnections,
    private readonly link: LinkStore,
    private readonly reads: ConversationReads,
  ) {}

  /** Proves the hub to a relay that it knows, and challenges that relay. */
  async prove(socket: RelaySocket, hello: RelayHello): Promise<HubProof | LinkRefusal> {
    if (hello.protocol !== LINK_PROTOCOL) {
      const message = `This hub speaks link protocol ${LINK_PROTOCOL}, the relay ${hello.protocol}: bring both to the same version.`;
      return refusal('PROTOCOL', message);
    }
    const { relayKey, nonce: relayNonce } = hello;
    if ((await this.relays.byKey(relayKey)) === undefined) {
      return refusal('RELAY_UNKNOWN', 'This hub does not know a relay with this key.');
    }
    const nonce = randomBytes(32).toString('base64url');
    socket.data.challenge = { relayKey, nonce };
    const signature = this.key.sign(hubProofText({ relayNonce, relayKey }));
    return { hubKey: this.key.publicKey, signature, nonce };
  }

  /** Checks the relay's proof and takes it in; from here on it is sent what is committed. */
  async attach(socket: RelaySocket, attach: RelayAttach): Promise<AttachedNow | LinkRefusal> {
    const { challenge } = socket.data;
    delete socket.data.challenge;
    if (challenge === undefined || !this.proves(challenge, attach.signature)) {
      return refusal('BAD_SIGNATURE', 'The relay did not prove that it holds its key.');
    }
    const record = await this.relays.byKey(challenge.relayKey);
    if (record === undefined) return refusal('RELAY_UNKNOWN', 'This relay has been removed.');
    const holder = this.connections.find(record.id);
    const another = holder !== undefined && holder.relay.instance !== attach.instance;
    if (another && (await stillAnswers(holder.socket))) {
      const message = `Another relay holds this key and answers. Stop it, or give this one a key of its own.`;
      return refusal('RELAY_DUPLICATE', message);
    }
    const { name, version, providers, instance } = attach;
    await this.relays.attached(record.id, { name, version, providers });
    const since = await this.reads.now();
    const relay: AttachedRelay = {
      ...{ id: record.id, instance, name, version, since, providers },
      lines: new Map(),
      lastSent: new LRUCache({ max: 2_000 }),
      opening: new Set(),
    };
    socket.data.attached = relay;
    this.connections.add({ socket, relay });
    const ids = attach.conversations.map(({ conversationId }) => conversationId);
    const cursors = await this.link.cursors(record.id, ids);
    return { relay, ...places(relay.id, attach.conversations, cursors) };
  }

  private proves(challenge: { relayKey: string; nonce: string }, signature: string): boolean {
    const { relayKey, nonce: hubNonce } = challenge;
    const text = relayProofText({ hubNonce, hubKey: this.key.publicKey, relayKey });
    try {
      const key = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: relayKey },
        format: 'jwk',
      });
      return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
    } catch {
      // A key that is none proves nothing.
      return false;
    }
  }
}

/** link.1, link.2: both ends' places, and which of the relay's conversations are not its any more. */
function places(
  relayId: Attached['relayId'],
  theirs: readonly RelayCursor[],
  ours: readonly LinkCursor[],
): Pick<AttachedNow, 'answer' | 'behind'> {
  const mine = new Map(ours.map((cursor) => [cursor.conversationId, cursor]));
  const received = new Map(theirs.map((cursor) => [cursor.conversationId, cursor]));
  const stale = theirs
    .filter(({ conversationId, epoch }) => mine.get(conversationId)?.epoch !== epoch)
    .map(({ conversationId, epoch }): HubCursor => {
      return { conversationId, epoch, sent: 0, received: 0, stale: true };
    });
  const staleIds = new Set(stale.map(({ conversationId }) => conversationId));
  const standing = ours.filter(({ conversationId }) => !staleIds.has(conversationId));
  const behind = standing.flatMap(({ conversationId, sent }) => {
    const has = received.get(conversationId)?.received ?? 0;
    return sent > has ? [{ conversationId, received: has }] : [];
  });
  const live = standing.map((cursor): HubCursor => ({ ...cursor, stale: false }));
  return { answer: { relayId, conversations: [...stale, ...live] }, behind };
}
