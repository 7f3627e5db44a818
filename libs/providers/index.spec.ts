import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { ProviderDescriptor } from '#contracts';
import { PROVIDERS } from './index.js';

describe('the list of providers', () => {
  it('[architecture] has a line for each folder, and no other', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(PROVIDERS.map((driver) => driver.descriptor.id).sort()).toEqual(folders.sort());
  });

  it.each(PROVIDERS.map((driver) => [driver.descriptor.label, driver.descriptor]))(
    '[contracts] the descriptor of %s can be sent as it is',
    (_label, descriptor) => {
      expect(ProviderDescriptor.parse(descriptor)).toEqual(descriptor);
    },
  );

  it('[M7] each keeps a mode, or carries the reason why not', () => {
    for (const { descriptor } of PROVIDERS) {
      const { autopilot, ask, plan } = descriptor.capabilities.modes;
      for (const standing of [autopilot, ask, plan]) {
        expect(standing === true || /\w/.test(standing.refused)).toBe(true);
      }
    }
  });
});
