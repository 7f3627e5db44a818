import createDOMPurify from 'dompurify';
import { blockHtml, escapeHtml, markdownBlocks } from './markdown-html.js';

const purify = createDOMPurify(window);
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'a', 'span', 'div'],
    ...['ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'target', 'rel', 'class', 'align', 'start', 'data-language'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Rendered blocks by their source; a finished block is parsed and sanitised once. */
const KEPT = 3_000;
const rendered = new Map<string, DocumentFragment>();

function fragmentOf(key: string, html: () => string): DocumentFragment {
  const kept = rendered.get(key);
  if (kept !== undefined) return kept.cloneNode(true) as DocumentFragment;
  const fragment = purify.sanitize(html(), {
    ...ALLOWED,
    ALLOWED_TAGS: [...ALLOWED.ALLOWED_TAGS],
    ALLOWED_ATTR: [...ALLOWED.ALLOWED_ATTR],
  });
  rendered.set(key, fragment.cloneNode(true) as DocumentFragment);
  if (rendered.size > KEPT) {
    const [oldest] = rendered.keys();
    if (oldest !== undefined) rendered.delete(oldest);
  }
  return fragment;
}

/** Source of each block that a node shows, so that only the last one of a growing text is drawn anew. */
const shown = new WeakMap<HTMLElement, string[]>();

/** Shows sanitised markdown in a node (C14). */
export function showMarkdown(node: HTMLElement, text: string): void {
  const blocks = markdownBlocks(text);
  if (blocks === undefined) {
    shown.delete(node);
    node.replaceChildren(fragmentOf(text, () => `<pre><code>${escapeHtml(text)}</code></pre>`));
    return;
  }
  const before = shown.get(node) ?? [];
  if (before.length === 0) node.replaceChildren();
  blocks.forEach((token, at) => {
    if (before[at] === token.raw) return;
    const block = document.createElement('div');
    block.className = 'block';
    block.append(fragmentOf(token.raw, () => blockHtml(token)));
    const old = node.children[at];
    if (old === undefined) node.append(block);
    else old.replaceWith(block);
  });
  while (node.children.length > blocks.length) node.lastElementChild?.remove();
  shown.set(
    node,
    blocks.map((token) => token.raw),
  );
}
