import type { ProviderDescriptor, RelayMode } from '#contracts';

/** Why a provider can't run in a mode, in its own words; absent when it can (M7: refused, never silently weaker). */
export function modeRefusal(descriptor: ProviderDescriptor, mode: RelayMode): string | undefined {
  const standing = descriptor.capabilities.modes[mode];
  return standing === true ? undefined : standing.refused;
}
