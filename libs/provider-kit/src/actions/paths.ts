import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** A path as it really is: links followed as far as it exists, the rest as it stands. Rejects never. */
export async function realPathOf(given: string, folder: string, home: string): Promise<string> {
  const absolute = path.resolve(
    folder,
    given.startsWith('~/') ? path.join(home, given.slice(2)) : given,
  );
  const missing: string[] = [];
  for (let at = absolute; ; at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return path.join(real, ...missing);
    if (path.dirname(at) === at) return absolute;
    missing.unshift(path.basename(at));
  }
}

/** Whether a path is a folder, or lies in it. Both as they really are. */
export function isWithin(real: string, folder: string): boolean {
  const relative = path.relative(folder, real);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** Whether a word of a command looks like a path that leads out of the folder. A hint: links are not followed. */
export function leadsOutside(word: string, folder: string): boolean {
  if (word.startsWith('~')) return true;
  const isPath = word.startsWith('/') || word.split('/').includes('..');
  return isPath && !HARMLESS.has(word) && !isWithin(path.resolve(folder, word), folder);
}

const HARMLESS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin']);
