import path from 'node:path';
import type { DatabaseAddress } from '#persistence';
import { RelayKey } from '../../../apps/relay/src/identity/relay-key.js';
import { makeLog } from '../../../apps/relay/src/log.js';
import type { RelayLimits } from '../../../apps/relay/src/relay-limits.js';
import { startRelay, type Relay } from '../../../apps/relay/src/relay.js';
import { bootHub, type TestHub } from '../hub.js';
import { makeScratchFolder } from '../scratch-folder.js';
import { PuppetDriver } from './puppet-driver.js';

/** The real hub and the real relay in this process, over a real socket, with a driver that the test speaks for. */
export interface RealLink {
  readonly hub: TestHub;
  readonly driver: PuppetDriver;
  /** The relay's folder. */
  readonly home: string;
  startRelay(): Promise<void>;
  /** Stops the relay in order. */
  stopRelay(): Promise<void>;
  close(): Promise<void>;
}

/** @param address a database that is migrated; the relay is not started yet */
export async function makeRealLink(
  address: DatabaseAddress,
  limits: Partial<RelayLimits> = {},
): Promise<RealLink> {
  const scratch = await makeScratchFolder();
  const keyFile = path.join(scratch.path, 'relay.pem');
  const home = path.join(scratch.path, 'relay');
  const { publicKey } = await RelayKey.load(keyFile);
  const hub = await bootHub(address, { localRelay: { name: 'This machine', publicKey } });
  const driver = new PuppetDriver();
  let relay: Relay | undefined;
  const stopRelay = async (): Promise<void> => {
    await relay?.stop();
    relay = undefined;
  };
  return {
    hub,
    driver,
    home,
    async startRelay() {
      relay = await startRelay({
        configuration: {
          ...{ hubUrl: hub.url, home, keyFile, name: 'This machine' },
          logLevel: 'fatal',
          idleMs: 3_600_000,
        },
        drivers: [driver],
        environment: { PATH: process.env['PATH'], HOME: scratch.path },
        version: '0.0.0',
        log: makeLog('silent'),
        progress: () => undefined,
        limits: { sweepMs: 20, goodbyeMs: 200, ...limits },
      });
    },
    stopRelay,
    async close() {
      await stopRelay();
      await hub.close();
      await scratch.remove();
    },
  };
}
