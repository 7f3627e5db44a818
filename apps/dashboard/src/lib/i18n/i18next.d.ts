import 'i18next';
import { type en } from './en/index.js';

declare module 'i18next' {
  /** Makes every key of the interface known to the compiler: a missing one does not compile. */
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
