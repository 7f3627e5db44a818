import { z } from 'zod';
import { Verdict, verdictText } from './actions.js';
import { Answer } from './cards.js';
import { type CardId, type DeviceId } from './ids.js';

/** Base64url of a raw ECDSA P-256 signature with SHA-256 (64 bytes, as WebCrypto gives it). */
export const Signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/, 'must be 64 bytes as base64url');
export type Signature = z.infer<typeof Signature>;

const Coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url');
/** A device's public key: ECDSA P-256 as a JSON Web Key. */
export const DevicePublicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: Coordinate,
  y: Coordinate,
});
export type DevicePublicKey = z.infer<typeof DevicePublicKey>;

/** What a person decides about a card. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), answer: Answer }),
  z.object({ kind: z.literal('verdict'), verdict: Verdict }),
  z.object({ kind: z.literal('skip') }),
]);
export type Decision = z.infer<typeof Decision>;

/** The text that a device signs to prove itself; bound to the origin that the page was served from. */
export function challengeText(of: {
  origin: string;
  deviceId: DeviceId;
  challenge: string;
}): string {
  return ['coxswain challenge 1', of.origin, of.deviceId, of.challenge].join('\n');
}

/** The text that a new device signs, so that a key can't be registered by who doesn't hold it. */
export function signInText(of: { origin: string; secret: string; name: string }): string {
  return ['coxswain sign-in 1', of.origin, of.secret, of.name].join('\n');
}

/** The text that a device signs to decide: card, version and decision . */
export function decisionText(of: { cardId: CardId; version: number; decision: Decision }): string {
  return ['coxswain decision 1', of.cardId, String(of.version), ...decisionLines(of.decision)].join(
    '\n',
  );
}

function decisionLines(decision: Decision): string[] {
  switch (decision.kind) {
    case 'skip':
      return ['skip'];
    case 'verdict':
      return ['verdict', verdictText(decision.verdict)];
    case 'answer': {
      const { choices, text } = decision.answer;
      return ['answer', JSON.stringify(choices), JSON.stringify(text ?? '')];
    }
  }
}
