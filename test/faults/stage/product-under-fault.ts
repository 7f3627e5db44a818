import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { PairingLink, Relay } from '#contracts';
import { findDatabase } from '#persistence';
import { clientCache } from '../../support/client-cache.js';
import { DeviceClient } from '../../support/device-client.js';
import { poolOf } from '../../support/postgres.js';
import { startProduct, type Product } from '../../support/product.js';
import type { SeenProcess } from '../../support/process-tree.js';
import type { Part } from '../plan/fault-plan.js';
import { LinkProxy } from './link-proxy.js';
import { leftOf, processesOf, signal } from './processes.js';

/** A client is hundreds of megabytes, where it is not there yet. */
const READY_WITHIN_MS = 10 * 60_000;
/** A second and a half: an agent in which nothing happens goes to sleep while the others work. */
const IDLE_MINUTES = '0.025';
const PRELOAD = fileURLToPath(new URL('../agent/preload.mjs', import.meta.url));

/** The whole product, as `npm start` runs it, in a folder of its own, with everything that is needed to break it. */
export class ProductUnderFault {
  private constructor(
    readonly folder: string,
    readonly product: Product,
    readonly link: LinkProxy,
    readonly database: pg.Pool,
    /** A piece of the command line of an agent's client. */
    private readonly client: string,
  ) {}

  static async start(of: { readonly client: string }): Promise<ProductUnderFault> {
    const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-faults-'));
    const link = await LinkProxy.start();
    const product = await startProduct({
      home: folder,
      environment: {
        COXSWAIN_CLIENTS: clientCache(),
        COXSWAIN_IDLE_MINUTES: IDLE_MINUTES,
        NODE_OPTIONS: `--import=${PRELOAD}`,
        FAULTS_LINK_PORT: String(link.port),
      },
    });
    link.target = Number(new URL(product.url).port);
    const home = path.join(folder, 'coxswain');
    const { owner } = await findDatabase({ home, environment: {} });
    return new ProductUnderFault(folder, product, link, poolOf(owner), of.client);
  }

  get url(): string {
    return this.product.url;
  }

  get relayHome(): string {
    return path.join(this.folder, 'coxswain', 'relay');
  }

  processes(part: Part): number[] {
    const { folder, client } = this;
    return processesOf(part, {
      supervisor: this.product.supervisor.pid ?? 0,
      home: folder,
      client,
    });
  }

  /** Sets how far the database's clock is ahead, in milliseconds. */
  async setClock(aheadMs: number): Promise<void> {
    await this.database.query(`update clock set shift = $1 * interval '1 millisecond'`, [aheadMs]);
  }

  /** Signs so many devices in. */
  async devices(names: readonly string[]): Promise<DeviceClient[]> {
    const clients: DeviceClient[] = [];
    for (const name of names) {
      const client = new DeviceClient(this.url, name);
      const signedIn = await client.signIn(await this.#secret(clients[0]));
      if (signedIn.status !== 200) throw new Error(JSON.stringify(signedIn.body));
      clients.push(client);
    }
    return clients;
  }

  /** The relay beside the hub, once it is attached and `fits`. */
  async relay(device: DeviceClient, fits: (relay: Relay) => boolean): Promise<Relay> {
    const isReady = (relay: Relay): boolean => relay.attached && fits(relay);
    const { relays } = await device.connect();
    const ready = relays.find(isReady);
    if (ready !== undefined) return ready;
    const told = device.hear('relay', (change) => isReady(change.relay));
    const late = pause(READY_WITHIN_MS, undefined, { ref: false });
    const change = await Promise.race([told, late]);
    if (change === undefined) throw new Error(`no relay is ready; see ${this.folder}`);
    return change.relay;
  }

  /** Stops it in order; what it printed is kept in its folder. */
  async stop(): Promise<void> {
    await this.database.end();
    await this.product.stop();
    await this.link.close();
    await writeFile(path.join(this.folder, 'supervisor.log'), this.product.output());
  }

  /** Ends every process that has to do with this run, paused ones too. @returns those that there were */
  killWhatIsLeft(): SeenProcess[] {
    const left = leftOf(this.folder);
    left.forEach(({ pid }) => signal(pid, 'SIGKILL'));
    return left;
  }

  /** For a run that is not brought to its end: the supervisor first, so that it starts nothing again. */
  async abandon(): Promise<void> {
    this.product.supervisor.kill('SIGKILL');
    this.killWhatIsLeft();
    await this.database.end();
    await this.link.close();
  }

  async #secret(first: DeviceClient | undefined): Promise<string> {
    if (first === undefined) return this.product.signInLink.split('/').at(-1) ?? '';
    const made = await first.post('/api/devices/pairing-links');
    return (made.body as PairingLink).secret;
  }
}
