import path from 'node:path';
import { CARD_WAITS_MS, type Relay as RelayRow, type RelayId } from '#contracts';
import type { DatabaseAddress } from '#persistence';
import { RelayKey } from '../../../apps/relay/src/identity/relay-key.js';
import { makeLog } from '../../../apps/relay/src/log.js';
import type { RelayLimits } from '../../../apps/relay/src/relay-limits.js';
import { startRelay, type Relay } from '../../../apps/relay/src/relay.js';
import type { DeviceClient } from '../device-client.js';
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
  /** Resolves when the hub has the relay (again). */
  attached(by: DeviceClient): Promise<RelayId>;
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
  // Its cards wait for as long as a person does.
  Object.assign(driver, { descriptor: { ...driver.descriptor, cardWaits: CARD_WAITS_MS } });
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
    async attached(by) {
      for (;;) {
        const { body } = await by.get('/api/relays');
        const { relays = [] } = body as { relays?: RelayRow[] };
        const own = relays.find(({ attached, name }) => attached && name === 'This machine');
        if (own !== undefined) return own.id;
      }
    },
    async close() {
      await stopRelay();
      await hub.close();
      await scratch.remove();
    },
  };
}
