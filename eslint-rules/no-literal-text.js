// Text that people read comes from the translation library. Literal letters in markup, in an attribute that is
// read out or shown, or in a literal inside {braces}, are refused.
const SHOWN_ATTRIBUTES = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
]);
const LETTERS = /\p{L}/u;
/** Names that read the same in every language. */
const PROPER_NAMES = new Set(['Coxswain', 'English', 'Español', 'Deutsch', '日本語']);
/** Elements whose content is not interface text. */
const NOT_SHOWN = new Set(['style', 'script']);

const isText = (value) => {
  const text = String(value).trim();
  return LETTERS.test(text) && !PROPER_NAMES.has(text);
};

const nameOf = (node) => (typeof node.name === 'string' ? node.name : node.name?.name);

const isShown = (node) => {
  const parent = node.parent;
  if (parent.type === 'SvelteAttribute') return SHOWN_ATTRIBUTES.has(parent.key.name);
  return parent.type !== 'SvelteStyleElement' && !NOT_SHOWN.has(nameOf(parent));
};

/** The literals that an expression can show by itself: `'a'`, `x ? 'a' : 'b'`, `x || 'a'`, `` `a ${x}` ``. */
const shownLiterals = (node) => {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ node, text: node.value }] : [];
    case 'TemplateLiteral':
      return node.quasis.map((quasi) => ({ node: quasi, text: quasi.value.cooked ?? '' }));
    case 'ConditionalExpression':
      return [...shownLiterals(node.consequent), ...shownLiterals(node.alternate)];
    case 'LogicalExpression':
      return [...shownLiterals(node.left), ...shownLiterals(node.right)];
    default:
      return [];
  }
};

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'interface text goes through the translation library' },
    schema: [],
    messages: { literal: 'Interface text goes through the translation library: "{{text}}".' },
  },
  create(context) {
    const check = (node, text) => {
      if (!isText(text)) return;
      context.report({ node, messageId: 'literal', data: { text: text.trim().slice(0, 40) } });
    };
    return {
      SvelteText(node) {
        if (isShown(node)) check(node, node.value);
      },
      'SvelteAttribute > SvelteLiteral'(node) {
        if (isShown(node)) check(node, node.value);
      },
      SvelteMustacheTag(node) {
        if (node.kind === 'raw' || !isShown(node)) return;
        for (const literal of shownLiterals(node.expression)) check(literal.node, literal.text);
      },
    };
  },
};
