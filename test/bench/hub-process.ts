import { fork, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildToSupervisor, type HubConfig } from '#contracts';
import { migrate, startEmbeddedPostgres, type DatabaseAddress } from '#persistence';
import { HUB_NODE_ARGUMENTS } from '../../apps/supervisor/src/children.js';
import { ChildSockets } from '../../apps/supervisor/src/child-sockets.js';
import { FrontDoor } from '../../apps/supervisor/src/front-door.js';
import { DeviceClient } from '../support/device-client.js';
import { FakeRelay } from '../support/fake-relay.js';
import { descendants } from '../support/process-tree.js';
import { makeScratchFolder } from '../support/scratch-folder.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const HUB = path.join(REPOSITORY, 'dist/run/hub.mjs');

/** The built hub in a process of its own behind the front door, over an embedded PostgreSQL, as in use. */
export interface HubProcess {
  readonly device: DeviceClient;
  readonly relay: FakeRelay;
  /** The same PostgreSQL, for the baseline; as its owner. */
  readonly database: DatabaseAddress;
  /** Memory of the hub's process in bytes, shared pages included. */
  memory(): number;
  /** Memory of PostgreSQL's processes in bytes, what they share counted once. */
  databaseMemory(): number;
  /** Ends the hub and starts another in its place, the relay attached again; gives the milliseconds until it was ready. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

export async function startHubProcess(): Promise<HubProcess> {
  if (!existsSync(HUB)) throw new Error('Build it first: npm run build');
  const scratch = await makeScratchFolder();
  const postgres = await startEmbeddedPostgres({ home: scratch.path });
  await migrate(postgres);
  const door = new FrontDoor({ port: 0 });
  await door.listen();
  const relay = new FakeRelay();
  const config: HubConfig = {
    ...{ kind: 'config', demo: false, signInLink: 'now' },
    ...{ home: scratch.path, database: postgres.app, port: door.port },
    dashboard: path.join(REPOSITORY, 'dist/dashboard'),
    keyFile: await makeKey(scratch.path),
    localRelay: { name: 'Bench', publicKey: relay.publicKey },
  };
  let hub = forkHub(config);
  const link = await ready(hub, door);
  const device = new DeviceClient(`http://127.0.0.1:${door.port}`, 'Bench');
  await device.signIn(link.slice(link.lastIndexOf('/') + 1));
  await relay.attach(device.url);
  return {
    device,
    relay,
    database: postgres.owner,
    memory: () => residentBytes(hub.pid ?? 0),
    databaseMemory: () => sharedOnce(postgres.pid),
    async restart() {
      relay.close();
      door.hold();
      await end(hub);
      const began = performance.now();
      hub = forkHub(config);
      await ready(hub, door);
      const took = performance.now() - began;
      await relay.attach(device.url);
      await device.renew();
      return took;
    },
    async stop() {
      device.close();
      relay.close();
      door.close();
      await end(hub);
      await postgres.stop();
      await scratch.remove();
    },
  };
}

async function makeKey(folder: string): Promise<string> {
  const file = path.join(folder, 'hub.key');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return file;
}

function forkHub(config: HubConfig): ChildProcess {
  const hub = fork(HUB, [], {
    env: { ...process.env, NODE_ENV: 'production', COXSWAIN_LOG_LEVEL: 'warn' },
    execArgv: [...HUB_NODE_ARGUMENTS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  hub.send(config);
  return hub;
}

async function end(hub: ChildProcess): Promise<void> {
  hub.kill('SIGTERM');
  if (hub.exitCode === null && hub.signalCode === null) await once(hub, 'exit');
}

/** Opens the door once the hub is ready; gives its sign-in link. */
function ready(hub: ChildProcess, door: FrontDoor): Promise<string> {
  return new Promise((resolve, reject) => {
    hub.once('exit', () => reject(new Error('the hub ended before it was ready')));
    hub.on('message', (raw) => {
      const said = ChildToSupervisor.safeParse(raw);
      if (said.data?.kind === 'ready') door.openTo(new ChildSockets(hub));
      if (said.data?.kind === 'sign-in-link') resolve(said.data.url);
    });
  });
}

function residentBytes(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, /VmRSS:\s+(\d+) kB/) * 1024;
}

/** What a process and all below it take up, shared pages counted once in all (proportional set size). */
function sharedOnce(pid: number): number {
  const pids = [pid, ...descendants(pid, '').map((child) => child.pid)];
  const each = pids.map((one) => kilobytes(`/proc/${one}/smaps_rollup`, /^Pss:\s+(\d+) kB/m));
  return each.reduce((sum, one) => sum + one, 0) * 1024;
}

function kilobytes(file: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}
