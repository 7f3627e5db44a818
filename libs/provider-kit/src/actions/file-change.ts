import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { LIMITS, makeVisible, type Action } from '#contracts';
import { createTwoFilesPatch } from 'diff';

/** A file as it is before a change. */
export interface FileBefore {
  readonly hash: NonNullable<Action['fileHash']>;
  /** Absent where there is none, where it is no text, or where it is too large to be compared. */
  readonly text?: string;
}

const LARGEST_COMPARED = 2_000_000;
/** Time that a comparison may take, in milliseconds: two large texts that have nothing in common take long. */
const COMPARE_WITHIN_MS = 1_000;

/** Rejects where there is something that can't be read, such as a folder. */
export async function fileBefore(path: string): Promise<FileBefore> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return { hash: 'absent', text: '' };
  const bytes = await readFile(path);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const isText = bytes.length <= LARGEST_COMPARED && !bytes.includes(0);
  return { hash, ...(isText && { text: bytes.toString('utf8') }) };
}

/** A unified diff of a file; absent where it would be too long, or takes too long to make. */
export function diffOf(path: string, before: string, after: string): string | undefined {
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    timeout: COMPARE_WITHIN_MS,
  });
  if (patch === undefined) return undefined;
  const visible = makeVisible(patch);
  return visible.length > LIMITS.actionText ? undefined : visible;
}
