import type { DatabaseConnection, HubConfig, RelayConfig } from '#contracts';
import { hostname } from 'node:os';
import path from 'node:path';
import type { CertificateWatch } from './certificate-watch.js';
import type { HomeFolders } from './home-folder.js';
import { readOrMakeKey, type KeyFile } from './key-file.js';
import type { Settings } from './settings.js';
import type { ChildProgram } from './supervised-child.js';

/** What hub and relay are told, once the database is there. */
export interface Family {
  readonly settings: Settings;
  readonly folders: HomeFolders;
  /** What is shown at the outer door; absent where there is no certificate. */
  readonly certificate: CertificateWatch | undefined;
  readonly hubKey: KeyFile;
  readonly relayKey: KeyFile;
  /** The built programs: `dist`. */
  readonly built: string;
}

/**
 * A hub's garbage dies young: a smaller nursery costs it no speed and saves some 20 MB with 1,000 cards open (measured by
 * the bench, turn by turn).
 */
export const HUB_NODE_ARGUMENTS: readonly string[] = ['--max-semi-space-size=4'];

/** The keys by which hub and local relay know each other, made at the first start. */
export async function readKeys(folders: HomeFolders): Promise<Pick<Family, 'hubKey' | 'relayKey'>> {
  const [hubKey, relayKey] = await Promise.all([
    readOrMakeKey(path.join(folders.hub, 'hub.key')),
    readOrMakeKey(path.join(folders.relay, 'relay.key')),
  ]);
  return { hubKey, relayKey };
}

export function hubProgram(family: Family, database: Promise<DatabaseConnection>): ChildProgram {
  const { settings, folders, hubKey, relayKey, built } = family;
  // A link that was asked for is printed once, not at every restart of the hub; a hub that died before it gave one
  // leaves that to the next.
  let signInLink: HubConfig['signInLink'] = settings.signIn ? 'now' : 'without-device';
  const configure = async (): Promise<HubConfig> => {
    return {
      kind: 'config',
      home: folders.hub,
      database: await database,
      port: settings.port,
      demo: settings.demo,
      dashboard: path.join(built, 'dashboard'),
      keyFile: hubKey.file,
      localRelay: { name: relayName(settings), publicKey: relayKey.publicKey },
      signInLink,
      ...reachOf(family),
    };
  };
  return {
    name: 'the hub',
    entry: path.join(built, 'run/hub.mjs'),
    execArgv: HUB_NODE_ARGUMENTS,
    env: hubEnvironment(process.env),
    logFile: path.join(folders.logs, 'hub.log'),
    configure,
    heard: ({ kind }) => {
      if (kind === 'sign-in-link') signInLink = 'without-device';
    },
  };
}

export function relayProgram(family: Family): ChildProgram {
  const { settings, folders, hubKey, relayKey, built } = family;
  const config: RelayConfig = {
    kind: 'config',
    home: folders.relay,
    secretFolders: [folders.home],
    hubUrl: `http://127.0.0.1:${settings.port}`,
    hubKey: hubKey.publicKey,
    keyFile: relayKey.file,
    name: relayName(settings),
    demo: settings.demo,
  };
  return {
    name: 'the relay',
    entry: path.join(built, 'apps/relay/src/main.js'),
    env: relayEnvironment(process.env),
    logFile: path.join(folders.logs, 'relay.log'),
    configure: () => Promise.resolve(config),
  };
}

/** The certificate is the one in use now, whatever has become of its files. */
function reachOf({ settings: { reach }, certificate }: Family): Pick<HubConfig, 'reach'> {
  if (reach === undefined) return {};
  const { origins, proxies } = reach;
  return {
    reach: {
      ...{ origins: [...origins], proxies: [...proxies] },
      ...(certificate === undefined ? {} : { certificate: certificate.certificate }),
    },
  };
}

function relayName(settings: Settings): string {
  return settings.relayName ?? hostname().split('.')[0] ?? 'this machine';
}

/** What the hub gets of the environment: what Node, the system and `pg` need, and its own log level. */
const HUB_NEEDS =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|NODE_EXTRA_CA_CERTS|COXSWAIN_LOG_LEVEL|PG[A-Z]+)$/;
/** What nothing that starts agents may see: addresses and passwords of databases. */
const DATABASE_SETTING = /^(?:DATABASE_|PG[A-Z]+$)/;

function hubEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return filtered(environment, (name) => HUB_NEEDS.test(name));
}

/** The relay has the person's environment, out of which each driver gives its client an allow-listed part. */
function relayEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return filtered(environment, (name) => !DATABASE_SETTING.test(name));
}

function filtered(
  environment: NodeJS.ProcessEnv,
  keeps: (name: string) => boolean,
): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => keeps(name)));
}
