import { existsSync, readFileSync } from 'node:fs';

/** What stands whole in a client's record; a line that a kill cut short is none. */
export function readRecord(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
}
