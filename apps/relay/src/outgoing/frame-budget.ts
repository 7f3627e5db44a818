import { LIMITS } from '#contracts';

/**
 * What one message may take of a frame, in bytes of JSON: the frame less room for the envelope, so that every
 * message fits into one alone (link rule 6).
 */
export const MESSAGE_BYTES = LIMITS.linkFrameBytes - 16 * 1024;

/** Bytes of a value on the link. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * A text that fits a frame when its length fits a block. Control characters take six bytes of JSON each, all
 * others three at most; where they are many they are shown as their pictures (`␛`).
 */
export function fitForFrame(text: string): string {
  if (text.length * 6 <= MESSAGE_BYTES / 2 || jsonBytes(text) <= text.length * 3) return text;
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 && !'\t\n\r'.includes(character)
      ? String.fromCharCode(0x2400 + code)
      : character;
  });
}
