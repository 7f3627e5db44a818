import path from 'node:path';

/** The folder of everything that was built, from wherever in it this program runs: as one file, or as tsc left it. */
export function builtFolder(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'dist') return folder;
    if (folder === path.dirname(folder)) throw new Error(`${from} lies in no folder named dist.`);
  }
}
