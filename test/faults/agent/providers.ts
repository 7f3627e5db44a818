import { PROVIDERS as PRODUCT_PROVIDERS } from '#providers';
import type { ProviderDriver } from '#provider-kit';
import { HASTY, PATIENT } from './provider-names.js';
import { ScriptedDriver } from './scripted-driver.js';

/** What takes the place of the relay's list of providers. @public The relay imports it, by way of the hook. */
export const PROVIDERS: readonly ProviderDriver[] = [
  new ScriptedDriver(PATIENT),
  new ScriptedDriver(HASTY),
  ...PRODUCT_PROVIDERS,
];
