import { closeSync, openSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';

/** A log keeps one older file beside it; both together stay below twice this, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** Runs `use` with a descriptor that appends to the file; a child keeps its copy of it. */
export function withLog<T>(file: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Moves a log that has grown too large aside. Copied and cut rather than renamed: the children hold the file open, and
 * what they append after the cut goes to its new beginning.
 */
export async function rotateLog(file: string, largest = LARGEST): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= largest) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
