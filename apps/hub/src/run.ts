import { once } from 'node:events';
import type { Socket } from 'node:net';
import { pino } from 'pino';
import {
  CertificateNews,
  ForgetPasskeys,
  HubConfig,
  MakeOwnersLink,
  SupervisorToHub,
  type ChildToSupervisor,
  type Door,
} from '#contracts';
import { startHub, type RunningHub } from './hub.js';
import { handedSockets } from './platform/handed-sockets.js';
import { errorFields } from './platform/hub-log.js';
import { configurationAlone, configurationFrom } from './platform/read-configuration.js';

/** A hub by itself, by the environment; its sign-in link is printed. */
export async function runAlone(): Promise<void> {
  const hub = await orSay(async () => startHub(await configurationAlone(), { listen: true }));
  endOn(hub, ['SIGTERM', 'SIGINT']);
  const link = await hub.signInLink();
  const lines = [`Coxswain's hub answers at ${hub.url}`];
  if (link !== undefined) lines.push(`Sign in once, within 15 minutes: ${link.url}`);
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** A hub that its supervisor tells what to do and hands its sockets. */
export async function runSupervised(): Promise<void> {
  const early: [Socket, Door][] = [];
  let take = (socket: Socket, door: Door): void => void early.push([socket, door]);
  const config = firstConfig();
  process.on('message', (message, socket) => {
    const said = SupervisorToHub.safeParse(message);
    if (!said.success || said.data.kind !== 'connection' || socket === undefined) return;
    tell({ kind: 'taken', n: said.data.n });
    take(socket as Socket, said.data.door);
  });
  const hub = await orSay(async () =>
    startHub(await configurationFrom(await config), { listen: false }),
  );
  endOn(hub, ['SIGTERM', 'SIGINT', 'disconnect']);
  const handed = handedSockets(hub.server, undefined, (await config).reach?.certificate);
  take = handed.take;
  for (const [socket, door] of early) take(socket, door);
  process.on('message', (message) => {
    const { data } = CertificateNews.safeParse(message);
    if (data === undefined) return;
    if (data.certificate !== undefined) handed.show(data.certificate);
    hub.certificateTrouble(data.trouble);
  });
  tell({ kind: 'ready' });
  const tellLink = async (when?: 'now'): Promise<void> => {
    const link = await hub.signInLink(when);
    if (link !== undefined) tell({ kind: 'sign-in-link', ...link });
  };
  process.on('message', (message) => {
    if (!ForgetPasskeys.safeParse(message).success) return;
    // Where the database is away nobody is told, and who asked finds out by waiting in vain.
    hub.forgetPasskeys().then(
      (count) => tell({ kind: 'passkeys-forgotten', count }),
      () => undefined,
    );
  });
  process.on('message', (message) => {
    // Where the database is away it is asked again by who waits for it.
    if (MakeOwnersLink.safeParse(message).success) tellLink('now').catch(() => undefined);
  });
  await tellLink();
}

async function firstConfig(): Promise<HubConfig> {
  for (;;) {
    const [message] = (await once(process, 'message')) as [unknown];
    const config = HubConfig.safeParse(message);
    if (config.success) return config.data;
  }
}

function tell(message: ChildToSupervisor): void {
  if (process.connected) process.send?.(message);
}

/** A start that failed says why, in one sentence, where somebody looks. */
async function orSay(start: () => Promise<RunningHub>): Promise<RunningHub> {
  try {
    return await start();
  } catch (error) {
    pino({ base: { part: 'hub' }, serializers: { error: errorFields } }).fatal(
      { error },
      'the hub could not start',
    );
    const message = error instanceof Error ? error.message : String(error);
    tell({ kind: 'failed', message: message.slice(0, 2_000) });
    process.exit(1);
  }
}

/** Ends in order, once, whoever asks. */
function endOn(hub: RunningHub, events: readonly string[]): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    void hub.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const event of events) process.on(event, end);
}
