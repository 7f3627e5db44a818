import path from 'node:path';
import type { ConfigureProvider, ConfigureReply, ProviderId, ProviderOnRelay } from '#contracts';
import { DriverFailure, type ProviderDriver } from '#provider-kit';
import { AgentProvider, type AgentProviderParts } from './agent-provider.js';
import { SettingRefused } from './provider-settings.js';

/** The providers that this relay knows. One that is missing or broken breaks no other (P15). */
export class ProviderHost {
  readonly #providers = new Map<ProviderId, AgentProvider>();

  constructor(
    drivers: readonly ProviderDriver[],
    parts: Omit<AgentProviderParts, 'driver' | 'folder'> & { readonly home: string },
  ) {
    for (const driver of drivers) {
      const folder = path.join(parts.home, 'providers', driver.descriptor.id);
      this.#providers.set(driver.descriptor.id, new AgentProvider({ ...parts, driver, folder }));
    }
  }

  /** Rejects conversations of providers that this version of the relay does not have, in plain words. */
  get(id: ProviderId): AgentProvider {
    const provider = this.#providers.get(id);
    if (provider !== undefined) return provider;
    throw new DriverFailure({
      code: 'provider-unknown',
      message: `This relay has no provider "${id}".`,
      advice: 'Update the relay, or start the conversation on another one.',
    });
  }

  onRelay(): ProviderOnRelay[] {
    return [...this.#providers.values()].map(({ descriptor, status }) => ({ descriptor, status }));
  }

  async refreshAll(): Promise<void> {
    await Promise.all([...this.#providers.values()].map((provider) => provider.refresh()));
  }

  /** Brings in the client of the first provider in the list; the others' come on first use. */
  async installFirst(): Promise<void> {
    const [first] = this.#providers.values();
    await first?.install();
    await this.refreshAll();
  }

  async configure(call: ConfigureProvider): Promise<ConfigureReply> {
    const provider = this.#providers.get(call.provider);
    if (provider === undefined) {
      return { ok: false, code: 'NOT_FOUND', message: `This relay has no such provider.` };
    }
    try {
      return { ok: true, status: await provider.configure(call.values) };
    } catch (error) {
      if (error instanceof SettingRefused) {
        return { ok: false, code: 'INVALID', message: error.message };
      }
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      const message = `The settings could not be written on the relay's machine (${code}).`;
      return { ok: false, code: 'UNAVAILABLE', message };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#providers.values()].map((provider) => provider.close()));
  }
}
