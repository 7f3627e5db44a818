import { describe, expect, it } from '@jest/globals';
import type { ProviderDescriptor } from '#contracts';
import { strictestMode } from '../index.js';

const offering = (modes: object): ProviderDescriptor =>
  ({ capabilities: { modes } }) as unknown as ProviderDescriptor;
const refused = { refused: 'It has no gate for it.' };

describe('the strictest mode of a provider', () => {
  it.each([
    ['plan', { autopilot: true, ask: true, plan: true }],
    ['ask', { autopilot: true, ask: true, plan: refused }],
    ['autopilot', { autopilot: true, ask: refused, plan: refused }],
  ])('[link.10] is %s where nothing stricter is enforced', (mode, modes) => {
    expect(strictestMode(offering(modes))).toBe(mode);
  });
});
