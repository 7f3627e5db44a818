import { describe, expect, it } from '@jest/globals';
import { blockHtml, markdownBlocks, safeLink } from './markdown-html.js';

const html = (text: string): string => (markdownBlocks(text) ?? []).map(blockHtml).join('');

describe('an agent’s markdown', () => {
  it('[C14] shows tags as text', () => {
    const shown = html('<button onclick="x()">Approve</button>');
    expect(shown).not.toContain('<button');
    expect(shown).toContain('&lt;button');
  });

  it('[C14] fetches no picture from elsewhere', () => {
    const shown = html('![a cat](https://example.com/cat.png)');
    expect(shown).not.toContain('<img');
    expect(shown).toContain('href="https://example.com/cat.png"');
  });

  it('[C14] shows the host of a link that says something else', () => {
    expect(html('[your bank](https://evil.example/login)')).toContain(
      '<span class="link-host">evil.example</span>',
    );
  });

  it('[C14] names a host once where the link is its own text', () => {
    expect(html('<https://example.com/>')).not.toContain('link-host');
  });

  it('[C14] opens links without handing the page over', () => {
    expect(html('[x](https://example.com)')).toContain('rel="noopener noreferrer nofollow"');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//example.com'])(
    '[C14] makes no link of %s',
    (href) => {
      expect(safeLink(href)).toBeUndefined();
      expect(html(`[x](${href})`)).not.toContain('<a ');
    },
  );

  it('[C14] escapes code', () => {
    expect(html('```html\n<script>x</script>\n```')).toContain('&lt;script&gt;');
  });

  it('[C14] makes invisible characters visible', () => {
    expect(html('pay\u202Eload')).toContain('⟦U+202E⟧');
  });

  it('[C14] gives up on a text that is nested without end', () => {
    expect(markdownBlocks('>'.repeat(5_000))).toBeUndefined();
  });

  it('[D3] falls into blocks that are rendered one by one', () => {
    expect(markdownBlocks('one\n\ntwo\n\n```\nthree\n```')).toHaveLength(3);
  });
});
