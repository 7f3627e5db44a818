import path from 'node:path';
import { migrate } from '#persistence';
import { builtFolder } from './built-folder.js';
import { CertificateWatch, type CertificateChange } from './certificate-watch.js';
import { hubProgram, readKeys, relayProgram } from './children.js';
import { askForSignInLink, askToForgetPasskeys, ControlSocket } from './control-socket.js';
import { databaseOf } from './database.js';
import { FrontDoor, PortTakenError } from './front-door.js';
import { keepLogsSmall } from './log-file.js';
import { makeHomeFolders, type HomeFolders } from './home-folder.js';
import { HomeInUseError, lockHome, type HomeLock } from './home-lock.js';
import { portTakenWords } from './port-taken.js';
import { isAmong, type ReachSettings } from './reach-settings.js';
import { readSettings, type Settings } from './settings.js';
import { databaseWords, Supervisor } from './supervisor.js';
import type { Terminal } from './terminal.js';
import { toldPlainly } from './told-plainly.js';

/**
 * Starts Coxswain as the environment says, and resolves once it has been stopped again.
 *
 * @returns the exit code
 */
export function supervise(terminal: Terminal, args: readonly string[]): Promise<number> {
  return toldPlainly(terminal, () => runUntilStopped(terminal, readSettings(process.env, args)));
}

async function runUntilStopped(terminal: Terminal, settings: Settings): Promise<void> {
  const folders = await makeHomeFolders(settings.home);
  const lock = await lockUnlessAsked(terminal, settings, folders);
  if (lock === undefined) return;
  let watch: CertificateWatch | undefined;
  const endLogKeeping = keepLogsSmall([folders.logs, path.join(folders.home, 'postgres')]);
  let control: ControlSocket | undefined;
  try {
    watch = await watchCertificate(settings.reach, (change) => {
      terminal.say(change.words);
      supervisor.certificateChanged(change);
    });
    const family = {
      ...{ settings, folders, certificate: watch },
      built: builtFolder(),
      ...(await readKeys(folders)),
    };
    const supervisor: Supervisor = new Supervisor({
      terminal,
      frontDoor: new FrontDoor({ port: settings.port }),
      outerDoor: outerDoor(settings.reach),
      database: databaseOf(folders.home, databaseWords(terminal)),
      migrate: async (addresses) => void (await migrate(addresses)),
      hub: (database) => hubProgram(family, database),
      hubReady: () => {
        if (watch !== undefined) supervisor.certificateChanged(watch);
      },
      relay: () => relayProgram(family),
    });
    control = await ControlSocket.open(folders.hub, supervisor);
    const stopped = stopOnSignals(supervisor, terminal);
    const started = supervisor.start().then(async () => {
      if (settings.forgetPasskeys) sayForgotten(terminal, await supervisor.forgetPasskeys());
      terminal.say(welcome(settings, folders.home));
    });
    // Stopped while it starts: then the start never comes to its end.
    await Promise.race([started.then(() => stopped), stopped]);
  } catch (error) {
    const isOurs = error instanceof PortTakenError && !error.message.includes('COXSWAIN_LISTEN');
    if (!isOurs) throw error;
    throw new PortTakenError(await portTakenWords(settings.port), { cause: error });
  } finally {
    control?.close();
    watch?.stop();
    endLogKeeping();
    await lock.release();
  }
}

/** Where other machines come in; with a proxy that does TLS it is the only one that may. */
function outerDoor(reach: ReachSettings | undefined): FrontDoor | undefined {
  if (reach?.listen === undefined) return undefined;
  const anybody = reach.certificate !== undefined;
  const admits = anybody ? {} : { admits: isAmong(reach.proxies) };
  return new FrontDoor({ ...reach.listen, door: 'outer', ...admits });
}

async function watchCertificate(
  reach: ReachSettings | undefined,
  changed: (change: CertificateChange) => void,
): Promise<CertificateWatch | undefined> {
  if (reach?.certificate === undefined) return undefined;
  const { certificate: paths, origins } = reach;
  return CertificateWatch.start({ paths, origins, changed });
}

/** `--sign-in` or `--forget-passkeys` beside a Coxswain that runs is a question to that one, answered here; then there is no lock to hold. */
async function lockUnlessAsked(
  terminal: Terminal,
  settings: Settings,
  folders: HomeFolders,
): Promise<HomeLock | undefined> {
  try {
    return await lockHome(folders.home);
  } catch (error) {
    if (!(error instanceof HomeInUseError) || !(await askedOther(terminal, settings, folders))) {
      throw error;
    }
    return undefined;
  }
}

/** Whether something was to be asked of the Coxswain that runs, and it answered. */
async function askedOther(
  terminal: Terminal,
  { signIn, forgetPasskeys }: Settings,
  folders: HomeFolders,
): Promise<boolean> {
  if (!signIn && !forgetPasskeys) return false;
  if (forgetPasskeys) {
    const count = await askToForgetPasskeys(folders.hub);
    if (count === undefined) return false;
    sayForgotten(terminal, count);
  }
  if (!signIn) return true;
  const link = await askForSignInLink(folders.hub);
  if (link !== undefined) terminal.signInLink(link);
  return link !== undefined;
}

function sayForgotten(terminal: Terminal, count: number): void {
  const what = count === 1 ? 'One passkey was' : `${count} passkeys were`;
  terminal.say(`${what} taken away; decisions need none now. The audit log has it.`);
}

function welcome(settings: Settings, home: string): string {
  const lines = [
    `Coxswain is at http://127.0.0.1:${settings.port}`,
    ...(settings.reach?.origins ?? []).map((origin) => `From other machines: ${origin}`),
    ...(settings.demo ? ['This is a demo: its agents talk to a scripted model.'] : []),
    `Everything it keeps is in ${home}`,
    `Ctrl-C stops it. A new sign-in link: npm ${settings.demo ? 'run demo' : 'start'} -- --sign-in`,
  ];
  return `\n${lines.join('\n')}\n`;
}

/** The first signal stops everything in order, the next one in a hurry. */
function stopOnSignals(supervisor: Supervisor, terminal: Terminal): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const stop = (): void => {
      // Stopped first, told after: the terminal may be gone.
      const stopped = supervisor.stop();
      terminal.say(asked ? 'Stopping at once …' : 'Stopping …');
      asked = true;
      stopped.then(() => {
        terminal.say('Stopped.');
        resolve();
      }, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
}
