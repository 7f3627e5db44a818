import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  Attached,
  HubProof,
  LINK_PROTOCOL,
  LinkRefusal,
  hubProofText,
  relayProofText,
  type RelayAttach,
} from '#contracts';
import { isSignedBy, type RelayKey } from '../identity/relay-key.js';
import type { PinnedHub } from '../identity/pinned-hub.js';
import type { HubSocket } from './hub-socket.js';

/** How long the hub may take for each of the two steps. */
const ANSWER_MS = 15_000;

/** Why the hub and the relay do not talk, in plain words. */
export class HandshakeRefused extends Error {
  constructor(
    readonly code: LinkRefusal['code'] | 'HUB_CHANGED',
    message: string,
  ) {
    super(message);
    this.name = 'HandshakeRefused';
  }
}

const refused = (refusal: LinkRefusal): HandshakeRefused =>
  new HandshakeRefused(refusal.code, refusal.message);

/**
 * Both prove who they are, then the relay attaches (link rule 8). The hub first: a relay tells nothing, not even
 * what it runs, to a hub that is not its own. Rejects with {@link HandshakeRefused}, or when the hub does not answer.
 */
export async function shakeHands(of: {
  socket: HubSocket;
  key: RelayKey;
  pinned: PinnedHub;
  /** What is told on attaching; made only once the hub has proved itself. */
  attach: () => Promise<Omit<RelayAttach, 'signature'>>;
}): Promise<Attached> {
  const { socket, key, pinned } = of;
  const proof = await hello(socket, key);
  const pinning = await pinned.check(proof.hubKey);
  if (!pinning.ok) throw new HandshakeRefused('HUB_CHANGED', pinning.message);
  const relayKey = key.publicKey;
  const signature = key.sign(
    relayProofText({ hubNonce: proof.nonce, hubKey: proof.hubKey, relayKey }),
  );
  const answer = await socket
    .timeout(ANSWER_MS)
    .emitWithAck('attach', { ...(await of.attach()), signature });
  return readAnswer(Attached, answer);
}

async function hello(socket: HubSocket, key: RelayKey): Promise<HubProof> {
  const relayNonce = randomBytes(32).toString('base64url');
  const relayKey = key.publicKey;
  const said = await socket
    .timeout(ANSWER_MS)
    .emitWithAck('hello', { protocol: LINK_PROTOCOL, relayKey, nonce: relayNonce });
  const proof = readAnswer(HubProof, said);
  const text = hubProofText({ relayNonce, relayKey });
  if (!isSignedBy({ publicKey: proof.hubKey, text, signature: proof.signature })) {
    throw new HandshakeRefused(
      'BAD_SIGNATURE',
      'The hub did not prove that it holds its key, so the relay does not talk to it.',
    );
  }
  return proof;
}

function readAnswer<T>(shape: z.ZodType<T>, said: unknown): T {
  const refusal = LinkRefusal.safeParse(said);
  if (refusal.success) throw refused(refusal.data);
  const answer = shape.safeParse(said);
  if (answer.success) return answer.data;
  throw new HandshakeRefused(
    'PROTOCOL',
    `The hub answered in a form that this relay does not know: ${z.prettifyError(answer.error).slice(0, 500)}`,
  );
}
