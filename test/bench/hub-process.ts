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
import { ChildSockets } from '../../apps/supervisor/src/child-sockets.js';
import { FrontDoor } from '../../apps/supervisor/src/front-door.js';
import { DeviceClient } from '../support/device-client.js';
import { FakeRelay } from '../support/fake-relay.js';
import { makeScratchFolder } from '../support/scratch-folder.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const HUB = path.join(REPOSITORY, 'dist/apps/hub/src/main.js');

/** The built hub in a process of its own behind the front door, over an embedded PostgreSQL, as in use. */
export interface HubProcess {
  readonly device: DeviceClient;
  readonly relay: FakeRelay;
  /** The same PostgreSQL, for the baseline; as its owner. */
  readonly database: DatabaseAddress;
  /** Memory of the hub's process in bytes, shared pages included. */
  memory(): number;
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
  const keyFile = path.join(scratch.path, 'hub.key');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const hub = fork(HUB, [], {
    env: { ...process.env, NODE_ENV: 'production', COXSWAIN_LOG_LEVEL: 'warn' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  hub.send({
    kind: 'config',
    home: scratch.path,
    database: postgres.app,
    port: door.port,
    demo: false,
    dashboard: path.join(REPOSITORY, 'dist/dashboard'),
    keyFile,
    localRelay: { name: 'Bench', publicKey: relay.publicKey },
    signInLink: 'now',
  } satisfies HubConfig);
  const link = await ready(hub, door);
  const device = new DeviceClient(`http://127.0.0.1:${door.port}`, 'Bench');
  await device.signIn(link.slice(link.lastIndexOf('/') + 1));
  await relay.attach(device.url);
  return {
    device,
    relay,
    database: postgres.owner,
    memory: () => residentBytes(hub.pid ?? 0),
    async stop() {
      device.close();
      relay.close();
      door.close();
      hub.kill('SIGTERM');
      if (hub.exitCode === null) await once(hub, 'exit');
      await postgres.stop();
      await scratch.remove();
    },
  };
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
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
