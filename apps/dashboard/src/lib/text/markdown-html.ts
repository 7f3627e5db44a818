import { Marked, type Token, type TokensList } from 'marked';
import { showUnseen } from './visible.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Where a link of an agent's may lead; undefined for anything else than a web page or an address. */
export function safeLink(href: string): { href: string; host: string } | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!LINK_PROTOCOLS.has(url.protocol)) return undefined;
  return { href: url.href, host: url.protocol === 'mailto:' ? url.pathname : url.host };
}

/** A link shows where it leads, unless its own text says just that. */
function linkHtml(href: string, shown: string, plain: string): string {
  const link = safeLink(href);
  if (link === undefined) return `${shown} <code>${escapeHtml(href)}</code>`;
  const saysIt = plain === link.href || plain === href || plain === link.host;
  const host = saysIt ? '' : ` <span class="link-host">${escapeHtml(link.host)}</span>`;
  return `<a href="${escapeHtml(link.href)}" target="_blank" rel="noopener noreferrer nofollow">${shown}</a>${host}`;
}

const marked = new Marked({
  gfm: true,
  breaks: false,
  async: false,
  renderer: {
    // Tags in an agent's text are text.
    html: ({ text }) => escapeHtml(text),
    // Nothing is fetched from elsewhere: a picture is a link to it.
    image: ({ href, text }) => linkHtml(href, escapeHtml(text === '' ? href : text), text),
    link({ href, tokens, text }) {
      return linkHtml(href, this.parser.parseInline(tokens), text);
    },
    code: ({ text, lang }) => {
      const language = /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0] ?? '';
      return `<pre data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}\n</code></pre>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    table(token) {
      const row = (cells: string): string => `<tr>${cells}</tr>`;
      const cell = (tag: string, tokens: Token[], align: string | null): string =>
        `<${tag}${align === null ? '' : ` align="${align}"`}>${this.parser.parseInline(tokens)}</${tag}>`;
      const head = token.header.map((of, at) => cell('th', of.tokens, token.align[at] ?? null));
      const body = token.rows.map((of) =>
        row(of.map((inner, at) => cell('td', inner.tokens, token.align[at] ?? null)).join('')),
      );
      return `<div class="table"><table><thead>${row(head.join(''))}</thead><tbody>${body.join('')}</tbody></table></div>`;
    },
  },
});

/** Markdown beyond this is shown as plain text: a bomb must not hold up the page. */
const MARKDOWN_MAX = 200_000;
/** Quotes and lists nested deeper than this are no text of a person's or an agent's. */
const NESTING = /(?:^|\n)(?:[ \t]*[>*+-]){40}/;

/** The blocks that a text falls into, each of which is rendered and kept by itself. */
export function markdownBlocks(text: string): Token[] | undefined {
  if (text.length > MARKDOWN_MAX || NESTING.test(text)) return undefined;
  return marked.lexer(showUnseen(text)).filter((token) => token.type !== 'space');
}

/** One block as HTML, not yet sanitised. */
export function blockHtml(token: Token): string {
  return marked.parser(Object.assign([token], { links: {} }) as TokensList);
}
