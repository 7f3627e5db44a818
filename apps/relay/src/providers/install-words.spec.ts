import { describe, expect, it } from '@jest/globals';
import { installWords } from './install-words.js';

const named = { package: 'a-client', version: '1.2.3' };
const installing = {
  state: 'installing',
  ...named,
  phase: 'verifying, 408 MB',
  elapsedMs: 34_700,
} as const;

describe('what a terminal is told of an installation', () => {
  it('[relay] how far it is', () => {
    expect(installWords(installing, { state: 'missing', ...named })).toEqual({
      text: 'Installing a-client 1.2.3: verifying, 408 MB (35 s)',
    });
  });

  it('[relay] that it is done, so that its last step does not stand there for ever', () => {
    expect(installWords({ state: 'ready', ...named }, installing)).toEqual({
      text: 'Installing a-client 1.2.3 (35 s)',
      ended: 'well',
    });
  });

  it('[relay] that it failed, and why', () => {
    const failed = { state: 'failed', ...named, reason: 'No network.', advice: 'Wait.' } as const;
    expect(installWords(failed, installing)).toEqual({
      text: 'Installing a-client 1.2.3 (35 s): No network.',
      ended: 'badly',
    });
  });

  it('[relay] nothing where the client was there already', () => {
    expect(
      installWords({ state: 'ready', ...named }, { state: 'missing', ...named }),
    ).toBeUndefined();
  });
});
