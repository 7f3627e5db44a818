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

/** The last line of a reply that says something, for the board, without its marks of markdown. */
export function lastLineOf(text: string): string {
  return cutText(linesOf(text).map(withoutMarks).filter(isSaid).at(-1) ?? '', LIMITS.lastLine);
}

/** The last line of what is no markdown, such as a command, to the letter. */
export function lastPlainLineOf(text: string): string {
  return cutText(linesOf(text).filter(isSaid).at(-1) ?? '', LIMITS.lastLine);
}

/** The first line of a markdown text that says something, without its marks. */
export function firstLineOf(text: string): string {
  return linesOf(text).map(withoutMarks).find(isSaid) ?? '';
}

const linesOf = (text: string): string[] =>
  text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
const isSaid = (line: string): boolean => line !== '';

/** What stands before a line: a heading's, a quotation's or a list's mark, or a rule across the page. */
const LEADING = /^(?:(?:#{1,6}|>|[-*+])(?:\s+|$))+|^(?:[-*_]\s?){3,}$/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
/** Emphasis hugs its words; a lone asterisk, as in `*.ts`, is one. */
const EMPHASIS = /(?<!\w)(\*\*|__|\*)(?=\S)([^*]*?\S)\1(?!\w)/g;
const CODE = /(`[^`]+`)/;

/** A line of markdown as it reads: code keeps what is in it. */
function withoutMarks(line: string): string {
  return line
    .replace(LEADING, '')
    .split(CODE)
    .map((piece) =>
      CODE.test(piece)
        ? piece.slice(1, -1)
        : piece.replace(LINK, '$1').replace(EMPHASIS, '$2').replace(EMPHASIS, '$2'),
    )
    .join('')
    .trim();
}

function cutAtWord(line: string, length: number): string {
  if (line.length <= length) return line;
  const cut = cutText(line, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
