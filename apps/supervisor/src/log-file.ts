import { closeSync, openSync } from 'node:fs';
import { copyFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/** A log keeps one older file beside it; both together stay below twice this, in bytes. */
const LARGEST = 20 * 1024 * 1024;
/** How often logs are looked at, in milliseconds. */
const LOOK_EVERY_MS = 60_000;

/**
 * Runs `use` with a descriptor that appends to the file; a child keeps its copy of it. Where the file can't be opened
 * (no room, no right) what is said is lost, which is better than not to run.
 */
export function withLog<T>(file: string, use: (descriptor: number | 'ignore') => T): T {
  const descriptor = openToAppend(file);
  try {
    return use(descriptor);
  } finally {
    if (descriptor !== 'ignore') closeSync(descriptor);
  }
}

function openToAppend(file: string): number | 'ignore' {
  try {
    return openSync(file, 'a', 0o600);
  } catch {
    return 'ignore';
  }
}

/**
 * Moves a log that has grown too large aside. Copied and cut rather than renamed: the children hold the file open, and
 * what they append after the cut goes to its new beginning. Where there is no room for the copy it is only cut. Never
 * rejects: a log is no reason to end.
 */
export async function rotateLog(file: string, largest = LARGEST): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= largest) return;
  const older = `${file}.1`;
  await copyFile(file, older).catch(() => rm(older, { force: true }).catch(() => undefined));
  await truncate(file).catch(() => undefined);
}

/**
 * Keeps every log in some folders (`*.log`) small, from now on.
 *
 * @returns ends it
 */
export function keepLogsSmall(
  folders: readonly string[],
  { everyMs = LOOK_EVERY_MS, largest = LARGEST } = {},
): () => void {
  let looks = false;
  const look = async (): Promise<void> => {
    if (looks) return;
    looks = true;
    for (const folder of folders) {
      const names = await readdir(folder).catch(() => []);
      const logs = names.filter((name) => name.endsWith('.log'));
      for (const name of logs) await rotateLog(path.join(folder, name), largest);
    }
    looks = false;
  };
  void look();
  const looking = setInterval(() => void look(), everyMs);
  looking.unref();
  return () => clearInterval(looking);
}
