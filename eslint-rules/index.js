import fileNames from './file-names.js';
import noLiteralText from './no-literal-text.js';
import noProviderNames from './no-provider-names.js';

/** The rules that no kept plugin has. Each has a planted breach in test/planted/lint. */
export default {
  meta: { name: 'coxswain' },
  rules: {
    'file-names': fileNames,
    'no-literal-text': noLiteralText,
    'no-provider-names': noProviderNames,
  },
};
