import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseAddress } from '#persistence';
import { startHub, type RunningHub } from '../../apps/hub/src/hub.js';
import { HubConfiguration } from '../../apps/hub/src/platform/hub-configuration.js';
import { DeviceClient } from './device-client.js';
import { FakeRelay } from './fake-relay.js';
import { makeScratchFolder } from './scratch-folder.js';

/** A hub in this process, over a database that is migrated. */
export interface TestHub {
  readonly hub: RunningHub;
  readonly url: string;
  /** The hub's own folder. */
  readonly home: string;
  /** The relay that it knows from the start; not attached yet. */
  readonly relay: FakeRelay;
  /** A device that is signed in: the first by the owner's link, others by pairing. */
  device(name: string): Promise<DeviceClient>;
  /** Ends the hub and boots another over the same database, at the same port, with the same keys. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function bootHub(
  address: DatabaseAddress,
  more: Partial<HubConfiguration> = {},
  relay = new FakeRelay(),
): Promise<TestHub> {
  const scratch = await makeScratchFolder();
  const configuration = await testConfiguration(scratch.path, { address, relay });
  let running = await startHub({ ...configuration, ...more }, { listen: true });
  const { port } = new URL(running.url);
  const devices: DeviceClient[] = [];
  return {
    get hub() {
      return running;
    },
    get url() {
      return running.url;
    },
    home: scratch.path,
    relay,
    async device(name) {
      const device = new DeviceClient(running.url, name);
      const secret = await linkSecret(running, devices[0]);
      const answer = await device.signIn(secret);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      devices.push(device);
      return device;
    },
    async restart(meanwhile) {
      await running.close();
      await meanwhile?.();
      running = await startHub({ ...configuration, ...more, port: Number(port) }, { listen: true });
    },
    async close() {
      devices.forEach((device) => device.close());
      relay.close();
      await running.close();
      await scratch.remove();
    },
  };
}

/** A link for one more device, as a person gets it. */
async function linkSecret(hub: RunningHub, signedIn: DeviceClient | undefined): Promise<string> {
  if (signedIn !== undefined) {
    const answer = await signedIn.post('/api/devices/pairing-links');
    return (answer.body as { secret: string }).secret;
  }
  const link = await hub.signInLink();
  if (link === undefined) throw new Error('there is a device already');
  return link.url.slice(link.url.lastIndexOf('/') + 1);
}

async function testConfiguration(
  folder: string,
  of: { address: DatabaseAddress; relay: FakeRelay },
): Promise<HubConfiguration> {
  const keyFile = path.join(folder, 'hub.key');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const dashboard = path.join(folder, 'dashboard');
  await mkdir(path.join(dashboard, 'assets'), { recursive: true });
  await writeFile(path.join(dashboard, 'index.html'), '<!doctype html><title>Coxswain</title>');
  await writeFile(path.join(dashboard, 'assets', 'page-1234.js'), 'export {};');
  return new HubConfiguration({
    home: folder,
    database: of.address,
    port: 0,
    demo: false,
    dashboard,
    keyFile,
    localRelay: { name: 'Test relay', publicKey: of.relay.publicKey },
    signInLink: 'without-device',
    version: '0.0.0',
    logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  });
}
