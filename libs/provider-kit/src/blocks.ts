import { LIMITS, cutText, makeJsonVisible, makeVisible, type Json } from '#contracts';

export interface TextPart {
  text: string;
  /** Only where the text needed more than one part. */
  part?: { index: number; last: boolean };
}

/**
 * Splits text into parts that fit an event, none ending in half a surrogate pair, with what can't be stored
 * made visible. An empty text is one empty part.
 */
export function inParts(text: string, size: number = LIMITS.blockText): TextPart[] {
  const whole = makeVisible(text);
  if (whole.length <= size) return [{ text: whole }];
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; at += pieces.at(-1)?.length ?? size) {
    pieces.push(cutText(whole.slice(at), size));
  }
  return pieces.map((piece, index) => ({
    text: piece,
    part: { index, last: index === pieces.length - 1 },
  }));
}

/** A tool's output, cut where it is over the limit, in parts. */
export function outputInParts(output: string): { parts: TextPart[]; cut: boolean } {
  const cut = output.length > LIMITS.toolOutput;
  return { parts: inParts(cut ? cutText(output, LIMITS.toolOutput) : output), cut };
}

/** A tool's arguments as they can be stored; the beginning of their JSON where they are too large. */
export function storableInput(input: unknown): { input: Json; inputCut: boolean } {
  const json = JSON.stringify(input ?? null) ?? 'null';
  if (json.length > LIMITS.toolInput) {
    return { input: makeVisible(cutText(json, LIMITS.toolInput)), inputCut: true };
  }
  return { input: makeJsonVisible(JSON.parse(json) as Json), inputCut: false };
}

/** One line of text for a title. */
export function oneLine(text: string, length: number = LIMITS.title): string {
  const line = makeVisible(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${cutText(line, length - 1)}…`;
}
