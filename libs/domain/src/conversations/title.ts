import { LIMITS, cutText } from '#contracts';

/** A title from the first message: its first line that says something, cut at a word. */
export function titleFrom(text: string): string {
  const line = text
    .split('\n')
    .map((candidate) =>
      candidate
        .replace(/^[#>*\-\s]+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((candidate) => candidate !== '');
  return line === undefined ? 'New conversation' : cutAtWord(line, 72);
}

/** The last line that says something, for the board. */
export function lastLineOf(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const line = lines.filter((candidate) => candidate !== '').at(-1) ?? '';
  return cutText(line, LIMITS.lastLine);
}

function cutAtWord(line: string, length: number): string {
  if (line.length <= length) return line;
  const cut = cutText(line, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
