import { type DiffLine } from './line-diff.js';

/** A line of a unified diff, or the mark between two of its pieces. */
export interface PatchLine {
  readonly kind: DiffLine['kind'] | 'gap';
  readonly text: string;
}

const KINDS: Readonly<Record<string, PatchLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'same',
  '@': 'gap',
};

/** The lines of a unified diff of one file, from its first piece on. */
export function patchLines(patch: string): PatchLine[] {
  const lines = patch.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(begin + 1).flatMap((line): PatchLine[] => {
    const kind = KINDS[line.charAt(0)];
    return kind === undefined ? [] : [{ kind, text: kind === 'gap' ? '' : line.slice(1) }];
  });
}
