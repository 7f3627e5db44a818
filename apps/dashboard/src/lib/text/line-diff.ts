import { diffLines as changesOf } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A diff that takes longer than this is shown as all taken away and all put there. */
const PATIENCE_MS = 60;

const linesOf = (kind: DiffLine['kind'], text: string): DiffLine[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => ({ kind, text: line }));
};

/** What changed from one text to another, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const changes = changesOf(before, after, { timeout: PATIENCE_MS });
  if (changes === undefined) return [...linesOf('removed', before), ...linesOf('added', after)];
  return changes.flatMap(({ added, removed, value }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}
