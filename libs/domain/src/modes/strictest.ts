import type { ProviderDescriptor, RelayMode } from '#contracts';
import { modeRefusal } from './availability.js';

const STRICTEST_FIRST: readonly RelayMode[] = ['plan', 'ask', 'autopilot'];

/** The strictest mode that a provider's gate really enforces; absent where it offers none. */
export function strictestMode(descriptor: ProviderDescriptor): RelayMode | undefined {
  return STRICTEST_FIRST.find((mode) => modeRefusal(descriptor, mode) === undefined);
}
