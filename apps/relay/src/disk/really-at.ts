import { realpathSync } from 'node:fs';
import path from 'node:path';

/** A folder as it really is, links followed: tools name files so. One that is not there stays as it was named. */
export function reallyAt(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
