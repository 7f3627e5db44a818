/** A path or command as it reads from within a folder: what begins with the folder's own path is told from there. */
export function withinFolder(text: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return text;
  const prefix = /[/\\]$/.test(folder) ? folder : `${folder}${folder.includes('\\') ? '\\' : '/'}`;
  if (!text.startsWith(prefix)) return text;
  const rest = text.slice(prefix.length);
  // With a blank it may be a command, for which `./` says the same as the whole path.
  return /\s/.test(rest) ? `./${rest}` : rest;
}

/** The last part of a path with its separator, and what stands before it. */
export function splitPath(path: string): { readonly head: string; readonly tail: string } {
  const end = path.replace(/[/\\]+$/, '');
  const at = Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\'));
  return at <= 0 ? { head: '', tail: path } : { head: end.slice(0, at), tail: path.slice(at) };
}
