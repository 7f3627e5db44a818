import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProviderDescriptor, ProviderStatus } from '#contracts';
import {
  DriverFailure,
  type ClientInstaller,
  type DriverHost,
  type InstallProgress,
  type ProcessRegistry,
  type ProviderDriver,
} from '#provider-kit';
import { failureOf } from '../conversations/failure.js';
import type { Log } from '../log.js';
import { ProviderSettings } from './provider-settings.js';
import { SharedRuntime, type RuntimeLease } from './runtime-lease.js';

export interface AgentProviderParts {
  readonly driver: ProviderDriver;
  /** The folder of this provider, for its settings and its driver's own files. */
  readonly folder: string;
  readonly installer: ClientInstaller;
  readonly environment: Readonly<Record<string, string>>;
  readonly homeFolder: string;
  readonly processes: ProcessRegistry;
  readonly log: Log;
  /** Told whenever how the provider stands has changed, with how it stood before. */
  changed(status: ProviderStatus, before: ProviderStatus): void;
}

/** One provider on this machine: its client, its settings, and its runtime once somebody needs it. */
export class AgentProvider {
  readonly #settings: ProviderSettings;
  #status: ProviderStatus;
  #installing: Promise<string> | undefined;
  #runtime: Promise<SharedRuntime> | undefined;

  constructor(private readonly parts: AgentProviderParts) {
    const { driver, folder } = parts;
    this.#settings = new ProviderSettings(folder, driver.descriptor);
    this.#status = {
      id: driver.descriptor.id,
      client: clientState(driver, 'missing'),
      signedIn: 'unknown',
      configured: [],
    };
  }

  get descriptor(): ProviderDescriptor {
    return this.parts.driver.descriptor;
  }

  /** How it stands, as last seen (P15). */
  get status(): ProviderStatus {
    return this.#status;
  }

  /** Looks again whether the client is there and signed in. Never rejects. */
  async refresh(): Promise<ProviderStatus> {
    const { driver, installer } = this.parts;
    const { client } = driver;
    if (
      client !== undefined &&
      this.#installing === undefined &&
      (await installer.isInstalled(client))
    )
      this.#tell({ client: { state: 'ready', package: client.name, version: client.version } });
    await this.#lookWhetherSignedIn();
    return this.#status;
  }

  /** Brings the client in unless it is there; resolves with its folder. Rejects with a {@link DriverFailure}. */
  async install(): Promise<string> {
    const { client } = this.parts.driver;
    if (client === undefined) return this.parts.folder;
    this.#installing ??= this.#install(client).finally(() => (this.#installing = undefined));
    return this.#installing;
  }

  /**
   * Changes settings. What is started from here on gets the new ones; a session that runs keeps the old ones until
   * its conversation lets go of it. Rejects with `SettingRefused`.
   */
  async configure(values: Readonly<Record<string, string>>): Promise<ProviderStatus> {
    await this.#settings.change(values);
    const old = this.#runtime;
    this.#runtime = undefined;
    void old?.then(
      (runtime) => runtime.retire(),
      () => undefined,
    );
    await this.#lookWhetherSignedIn();
    return this.#status;
  }

  /** The runtime, opened on first use, with the client installed. Rejects with a {@link DriverFailure}. */
  async acquire(): Promise<RuntimeLease> {
    const opening = (this.#runtime ??= this.#open());
    try {
      return (await opening).lease();
    } catch (error) {
      if (this.#runtime === opening) this.#runtime = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const runtime = await this.#runtime?.catch(() => undefined);
    await runtime?.close();
  }

  async #open(): Promise<SharedRuntime> {
    const clientFolder = await this.install();
    return new SharedRuntime(await this.parts.driver.open(await this.#host(clientFolder)));
  }

  async #host(clientFolder: string): Promise<DriverHost> {
    const { environment, homeFolder, processes, log } = this.parts;
    const stateFolder = path.join(this.parts.folder, 'state');
    await mkdir(stateFolder, { recursive: true, mode: 0o700 });
    return {
      clientFolder,
      stateFolder,
      homeFolder,
      environment,
      processes,
      settings: await this.#settings.read(),
      log: (level, message, fields) =>
        log[level]({ ...fields, provider: this.descriptor.id }, message),
    };
  }

  async #install(client: NonNullable<ProviderDriver['client']>): Promise<string> {
    const named = { package: client.name, version: client.version };
    try {
      const folder = await this.parts.installer.install(client, (progress) =>
        this.#tell({ client: { state: 'installing', ...named, ...inWords(progress) } }),
      );
      this.#tell({ client: { state: 'ready', ...named } });
      await this.#lookWhetherSignedIn();
      return folder;
    } catch (error) {
      const failure = failureOf(error);
      const advice = failure.advice ?? 'See the log of the relay, then try again.';
      this.#tell({ client: { state: 'failed', ...named, reason: failure.message, advice } });
      throw error instanceof DriverFailure ? error : new DriverFailure(failure, { cause: error });
    }
  }

  async #lookWhetherSignedIn(): Promise<void> {
    const { driver, environment, homeFolder, log } = this.parts;
    const settings = await this.#settings.read();
    const configured = Object.keys(settings);
    try {
      const { signedIn, advice } = await driver.status({ settings, environment, homeFolder });
      const { advice: _old, ...rest } = this.#status;
      this.#become({ ...rest, signedIn, configured, ...(advice !== undefined && { advice }) });
    } catch (error) {
      log.error({ err: error, provider: this.descriptor.id }, 'a driver could not tell its status');
      this.#become({ ...this.#status, signedIn: 'unknown', configured });
    }
  }

  #tell(change: Partial<ProviderStatus>): void {
    this.#become({ ...this.#status, ...change });
  }

  #become(status: ProviderStatus): void {
    if (isDeepStrictEqual(status, this.#status)) return;
    const before = this.#status;
    this.#status = status;
    this.parts.changed(status, before);
  }
}

function clientState(driver: ProviderDriver, state: 'missing'): ProviderStatus['client'] {
  return driver.client === undefined
    ? { state: 'not-needed' }
    : { state, package: driver.client.name, version: driver.client.version };
}

function inWords(progress: InstallProgress): { phase: string; elapsedMs: number } {
  // npm unpacks last: until then the folder says nothing about how far the download is.
  const size = progress.bytes >= 1e6 ? `, ${Math.round(progress.bytes / 1e6)} MB` : '';
  return { phase: `${progress.phase}${size}`, elapsedMs: progress.elapsedMs };
}
