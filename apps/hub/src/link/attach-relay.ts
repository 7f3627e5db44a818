import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  hubProofText,
  LINK_PROTOCOL,
  relayProofText,
  type Attached,
  type HubProof,
  type LinkRefusal,
  type RelayAttach,
  type RelayHello,
} from '#contracts';
import { RelayStore } from '#domain';
import { HubKey } from '../platform/hub-key.js';
import {
  RelayConnections,
  type AttachedRelay,
  type RelaySocket,
} from '../relays/relay-connections.js';
import { ComparePlaces, type Places } from './compare-places.js';
import { KeyHolders } from './key-holders.js';
import { linkRefusal } from './link-refusal.js';

/** What an attach gave: the relay as it is from here on, and both ends' places. */
export interface AttachedNow {
  readonly relay: AttachedRelay;
  readonly answer: Attached;
  readonly behind: Places['behind'];
}

/** link.7, link.8: both sides prove who they are; one relay holds a key. */
@Injectable()
export class AttachRelay {
  constructor(
    private readonly key: HubKey,
    private readonly relays: RelayStore,
    private readonly holders: KeyHolders,
    private readonly connections: RelayConnections,
    private readonly places: ComparePlaces,
  ) {}

  /** Proves the hub to a relay that it knows, and challenges that relay. */
  async prove(socket: RelaySocket, hello: RelayHello): Promise<HubProof | LinkRefusal> {
    if (hello.protocol !== LINK_PROTOCOL) {
      const message = `This hub speaks link protocol ${LINK_PROTOCOL}, the relay ${hello.protocol}: bring both to the same version.`;
      return linkRefusal('PROTOCOL', message);
    }
    const { relayKey, nonce: relayNonce } = hello;
    if ((await this.relays.byKey(relayKey)) === undefined) {
      return linkRefusal('RELAY_UNKNOWN', 'This hub does not know a relay with this key.');
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
      return linkRefusal('BAD_SIGNATURE', 'The relay did not prove that it holds its key.');
    }
    const record = await this.relays.byKey(challenge.relayKey);
    if (record === undefined) return linkRefusal('RELAY_UNKNOWN', 'This relay has been removed.');
    const admitted = await this.holders.admit(record, attach);
    if ('code' in admitted) return admitted;
    const { nextToken, nextTokenHash } = admitted;
    const { name, version, providers, instance } = attach;
    const since = await this.relays.attached(record.id, { name, version, providers });
    const relay: AttachedRelay = {
      ...{ id: record.id, instance, name, version, since, providers, nextTokenHash },
      lines: new Map(),
      lastSent: new LRUCache({ max: 2_000 }),
      opening: new Map(),
    };
    // Its end has been heard already: nothing would take it out again.
    if (!socket.connected) throw new Error('the relay left while it was taken in');
    socket.data.attached = relay;
    this.connections.add({ socket, relay });
    const { conversations, behind } = await this.places.compare(record.id, attach.conversations);
    return { relay, answer: { relayId: record.id, conversations, nextToken }, behind };
  }

  /** The relay has its new token on its disk: the one before is good for nothing from here on. */
  async tokenKept(socket: RelaySocket): Promise<void> {
    const { attached } = socket.data;
    if (attached !== undefined) await this.relays.tokenKept(attached.id, attached.nextTokenHash);
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
