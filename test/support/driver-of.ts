import type { ProviderDriver } from '#provider-kit';

/** The driver of that id; a test can't go on without it. */
export function driverOf(drivers: readonly ProviderDriver[], id: string): ProviderDriver {
  const driver = drivers.find((one) => one.descriptor.id === id);
  if (driver === undefined) throw new Error(`no driver ${id} in the list of providers`);
  return driver;
}
