// Outside a provider's own folder nothing decides by a provider's name: what differs between providers is data in
// their descriptors (label, icon, settings schema, capabilities).
const NAMES_A_PROVIDER = /(?:^|[.?!\s])\w*provider(?:Id|Name|Kind)?!?(?:\??\.(?:id|name|kind))?$/i;

const isName = (node) =>
  (node.type === 'Literal' && typeof node.value === 'string' && node.value !== '') ||
  (node.type === 'TemplateLiteral' && node.expressions.length === 0);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'nothing decides by the name of a provider' },
    schema: [],
    messages: {
      byName: 'Decide by the descriptor or a capability, not by the name of a provider.',
    },
  },
  create(context) {
    const namesProvider = (node) => NAMES_A_PROVIDER.test(context.sourceCode.getText(node));
    const check = (node, subject, value) => {
      if (isName(value) && namesProvider(subject)) context.report({ node, messageId: 'byName' });
    };
    return {
      BinaryExpression(node) {
        if (!/^[!=]==?$/.test(node.operator)) return;
        check(node, node.left, node.right);
        check(node, node.right, node.left);
      },
      SwitchCase(node) {
        if (node.test !== null) check(node, node.parent.discriminant, node.test);
      },
    };
  },
};
