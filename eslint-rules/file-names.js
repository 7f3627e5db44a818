// File names are kebab-case and say what a thing is. Words which say nothing are refused: a file named after
// nothing collects everything.
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const MIGRATION = /^[0-9]{13,14}-[A-Z][A-Za-z0-9]*\.ts$/;
const SAYS_NOTHING = /(?:^|[-.])(?:utils?|helpers?|common|misc|managers?)(?=[-.]|$)/;

const folderWords = (path) => path.split(/[\\/]/).slice(-4, -1);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'suggestion',
    docs: { description: 'kebab-case file names without words that say nothing' },
    schema: [],
    messages: {
      kebab: 'The file name "{{name}}" is not kebab-case.',
      empty:
        '"{{name}}" says nothing (no utils, helpers, common, misc, manager): name what is in it.',
    },
  },
  create(context) {
    return {
      Program(node) {
        const path = context.physicalFilename;
        const name = path.split(/[\\/]/).at(-1) ?? '';
        if (!KEBAB.test(name) && !MIGRATION.test(name)) {
          context.report({ node, messageId: 'kebab', data: { name } });
        }
        const empty = [name, ...folderWords(path)].find((word) => SAYS_NOTHING.test(word));
        if (empty !== undefined)
          context.report({ node, messageId: 'empty', data: { name: empty } });
      },
    };
  },
};
