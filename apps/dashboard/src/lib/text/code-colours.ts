import { type HighlighterCore } from 'shiki/core';

/** Names that agents give to the languages that we colour. */
const LANGUAGES = {
  typescript: ['ts', 'typescript', 'tsx', 'mts'],
  javascript: ['js', 'javascript', 'jsx', 'mjs', 'cjs'],
  python: ['py', 'python'],
  shellscript: ['sh', 'bash', 'shell', 'zsh', 'console', 'shellscript'],
  json: ['json', 'jsonc'],
  yaml: ['yaml', 'yml'],
  html: ['html', 'svelte', 'vue', 'xml'],
  css: ['css', 'scss'],
  sql: ['sql'],
  rust: ['rust', 'rs'],
  go: ['go', 'golang'],
} as const;
type Language = keyof typeof LANGUAGES;

const BY_NAME = new Map<string, Language>(
  (Object.keys(LANGUAGES) as Language[]).flatMap((language) =>
    LANGUAGES[language].map((name) => [name, language] as const),
  ),
);
/** Longer code is left plain: colouring it would be felt. */
const LONGEST = 20_000;

const LOAD: { readonly [L in Language]: () => Promise<{ default: unknown }> } = {
  typescript: () => import('@shikijs/langs/typescript'),
  javascript: () => import('@shikijs/langs/javascript'),
  python: () => import('@shikijs/langs/python'),
  shellscript: () => import('@shikijs/langs/shellscript'),
  json: () => import('@shikijs/langs/json'),
  yaml: () => import('@shikijs/langs/yaml'),
  html: () => import('@shikijs/langs/html'),
  css: () => import('@shikijs/langs/css'),
  sql: () => import('@shikijs/langs/sql'),
  rust: () => import('@shikijs/langs/rust'),
  go: () => import('@shikijs/langs/go'),
};

let making: Promise<HighlighterCore> | undefined;
const loaded = new Map<Language, Promise<void>>();

async function makeHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--code-' });
  return createHighlighterCore({
    themes: [theme],
    langs: [],
    // What this engine can't match it passes over instead of failing.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

async function highlighterFor(language: Language): Promise<HighlighterCore> {
  making ??= makeHighlighter();
  const highlighter = await making;
  const loading =
    loaded.get(language) ??
    LOAD[language]().then(({ default: grammar }) => highlighter.loadLanguage(grammar as never));
  loaded.set(language, loading);
  await loading;
  return highlighter;
}

/** The colours of shiki's theme that we have, by the variable that it names. */
const CLASS_OF: Readonly<Record<string, string>> = {
  'token-keyword': 'code-keyword',
  'token-string': 'code-string',
  'token-string-expression': 'code-string',
  'token-constant': 'code-number',
  'token-function': 'code-function',
  'token-comment': 'code-comment',
};

function classOf(colour: string | undefined): string {
  const name = /--code-([\w-]+)/.exec(colour ?? '')?.[1] ?? '';
  return CLASS_OF[name] ?? '';
}

async function colour(code: HTMLElement, language: Language): Promise<void> {
  const text = code.textContent ?? '';
  const highlighter = await highlighterFor(language);
  const { tokens } = highlighter.codeToTokens(text, { lang: language, theme: 'tokens' });
  // The reader may be elsewhere by now, or the text another one.
  if (!code.isConnected || code.textContent !== text) return;
  const lines = tokens.map((line) =>
    line.map(({ content, color }) => {
      const span = document.createElement('span');
      span.textContent = content;
      span.className = classOf(color);
      return span;
    }),
  );
  code.replaceChildren(...lines.flatMap((line, at) => (at === 0 ? line : ['\n', ...line])));
}

const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 50);
};

/** What scrolls sideways can be reached, and so scrolled, with the keyboard. */
export function makeReachable(node: HTMLElement): void {
  whenIdle(() => {
    for (const box of node.querySelectorAll<HTMLElement>('pre, .table')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  });
}

/** Colours the code in a node, when the page has nothing better to do. */
export function colourCode(node: HTMLElement): void {
  for (const pre of node.querySelectorAll<HTMLElement>('pre[data-language]:not([data-coloured])')) {
    const language = BY_NAME.get((pre.dataset['language'] ?? '').toLowerCase());
    const code = pre.querySelector<HTMLElement>('code');
    if (language === undefined || code === null) continue;
    if ((code.textContent ?? '').length > LONGEST) continue;
    pre.dataset['coloured'] = language;
    // Code without its colours is still code.
    whenIdle(() => void colour(code, language).catch(() => delete pre.dataset['coloured']));
  }
}
