import type { Delta } from '#contracts';

/** Pieces that follow each other within one block become one. */
export function coalesced(before: readonly Delta[], more: readonly Delta[]): Delta[] {
  const all = [...before];
  for (const delta of more) {
    const last = all.at(-1);
    if (last !== undefined && follows(last, delta)) {
      all[all.length - 1] = { ...last, text: last.text + delta.text };
    } else {
      all.push(delta);
    }
  }
  return all;
}

const follows = (last: Delta, next: Delta): boolean =>
  last.blockId === next.blockId &&
  last.kind === next.kind &&
  last.offset + last.text.length === next.offset;
