import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  hubProofText,
  LINK_PROTOCOL,
  relayProofText,
  type Attached,
  type HubPlaces,
  type HubProof,
  type LinkRefusal,
  type RelayAttach,
  type RelayHello,
  type RelayPlaces,
} from '#contracts';
import { RelayStore } from '#domain';
import { HubKey } from '../platform/hub-key.js';
import {
  RelayConnections,
  type AttachedRelay,
  type RelaySocket,
} from '../relays/relay-connections.js';
import { ComparePlaces } from './compare-places.js';
import { KeyHolders } from './key-holders.js';
import { linkRefusal } from './link-refusal.js';

/** What a page of places gave. */
export interface PlacedNow {
  readonly relay: AttachedRelay;
  readonly answer: HubPlaces & Pick<Attached, 'run'>;
  /** Whether both ends know of all conversations where they are, so that what is new may go out. */
  readonly isAll: boolean;
}

/** What an attach gave: the relay as it is from here on, and both ends' places. */
export interface AttachedNow extends PlacedNow {
  readonly answer: Attached;
}

/** link.7, link.8: both sides prove who they are; one relay holds a key. */
@Injectable()
export class AttachRelay {
  constructor(
    private readonly key: HubKey,
    private readonly relays: RelayStore,
    private readonly holders: KeyHolders,
    private readonly connections: RelayConnections,
    private readonly comparing: ComparePlaces,
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
    const { name, version, providers, instance } = attach;
    const since = await this.relays.attached(record.id, { name, version, providers });
    const relay: AttachedRelay = {
      ...{ id: record.id, instance, name, version, since, providers },
      lines: new Map(),
      lastSent: new LRUCache({ max: 2_000 }),
      opening: new Map(),
    };
    // Its end has been heard already: nothing would take it out again.
    if (!socket.connected) throw new Error('the relay left while it was taken in');
    socket.data.attached = relay;
    this.connections.add({ socket, relay });
    socket.data.said = {
      relayId: record.id,
      incarnation: attach.incarnation,
      runs: attach.runs ?? [],
      hasLaterToken: admitted.holder === 'ahead',
    };
    const answer = await this.compare(socket, {
      conversations: attach.conversations,
      more: attach.more ?? false,
    });
    // Last: what a later token tells of this hub must have been acted on before the token is on record.
    const { token: nextToken, hash } = await this.holders.giveToken(record, admitted);
    relay.nextTokenHash = hash;
    // Later still: what was put right has gone behind what the relay has, and is its to take.
    const earlierRuns = await this.comparing.earlierRuns(record.id);
    return { ...answer, answer: { ...answer.answer, relayId: record.id, nextToken, earlierRuns } };
  }

  /** A page of places of a relay that has attached. */
  async places(socket: RelaySocket, page: RelayPlaces): Promise<PlacedNow> {
    return this.compare(socket, page);
  }

  private async compare(
    socket: RelaySocket,
    { conversations: theirs, more }: RelayPlaces,
  ): Promise<PlacedNow> {
    const { attached: relay, said } = socket.data;
    if (relay === undefined || said === undefined) throw new Error('the relay has not attached');
    const { conversations, behind, before, incarnation } = await this.comparing.compare(
      said,
      theirs,
    );
    // Of one attach, one new incarnation at most: what follows is of the one before.
    const last = incarnation === before ? (said.incarnation ?? before) : before;
    socket.data.said = { ...said, incarnation: last, hasLaterToken: false };
    relay.behind = [...(relay.behind ?? []), ...behind];
    const isAll = !more && !conversations.some(({ unknown }) => unknown === true);
    return { relay, answer: { conversations, incarnation, run: this.comparing.run }, isAll };
  }

  /** The relay has its new token on its disk: the one before is good for nothing from here on. */
  async tokenKept(socket: RelaySocket): Promise<void> {
    const { attached } = socket.data;
    if (attached?.nextTokenHash === undefined) return;
    await this.relays.tokenKept(attached.id, attached.nextTokenHash);
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
