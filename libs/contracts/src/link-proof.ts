/**
 * What hub and relay sign to prove themselves to each other (link rule 8). Each text holds the nonce of the
 * one that is being convinced and the key of the other side, so that neither proof can be used elsewhere.
 * Nonces and keys are base64url; signatures are Ed25519 over the text's UTF-8 bytes.
 */

/** The hub's proof, over the relay's nonce. */
export function hubProofText(of: { relayNonce: string; relayKey: string }): string {
  return ['coxswain hub 1', of.relayNonce, of.relayKey].join('\n');
}

/** The relay's proof, over the hub's nonce. */
export function relayProofText(of: { hubNonce: string; hubKey: string; relayKey: string }): string {
  return ['coxswain relay 1', of.hubNonce, of.hubKey, of.relayKey].join('\n');
}
