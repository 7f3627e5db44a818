import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HubConfig } from '#contracts';
import { findDatabase } from '#persistence';
import { HubConfiguration } from './hub-configuration.js';
import { problemsInWords } from './schema-problems.js';

const DEFAULT_PORT = 7717;

/** What of the environment concerns any hub. */
const Surroundings = z.object({
  COXSWAIN_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});
/** What a hub needs that runs without a supervisor; the database is found as everywhere. */
const Alone = z.object({
  COXSWAIN_HOME: z.string().min(1),
  COXSWAIN_PORT: z.coerce.number().int().min(1).max(65_535).default(DEFAULT_PORT),
  /** The relay's raw Ed25519 public key, base64url. */
  COXSWAIN_RELAY_KEY: HubConfig.shape.localRelay.shape.publicKey.optional(),
  COXSWAIN_SIGN_IN_LINK: HubConfig.shape.signInLink.default('without-device'),
});

/** From the supervisor's first message. */
export async function configurationFrom(config: HubConfig): Promise<HubConfiguration> {
  const surroundings = parse(Surroundings, process.env);
  return new HubConfiguration({
    ...config,
    logLevel: surroundings.COXSWAIN_LOG_LEVEL,
    version: await ownVersion(),
  });
}

/** From the environment, for a hub that runs alone. */
export async function configurationAlone(): Promise<HubConfiguration> {
  const alone = parse(Alone, process.env);
  const home = path.resolve(alone.COXSWAIN_HOME);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const { app } = await findDatabase({ home, environment: process.env });
  const key = alone.COXSWAIN_RELAY_KEY;
  return configurationFrom({
    kind: 'config',
    home,
    database: app,
    port: alone.COXSWAIN_PORT,
    demo: false,
    dashboard: path.join(await packageFolder(), 'dist', 'dashboard'),
    keyFile: await ensureKey(path.join(home, 'hub.key')),
    signInLink: alone.COXSWAIN_SIGN_IN_LINK,
    ...(key === undefined ? {} : { localRelay: { name: 'local', publicKey: key } }),
  } as HubConfig);
}

/** Names the variable that is wrong and what is allowed; a wrong value itself may be a secret and is not repeated. */
function parse<T>(schema: z.ZodType<T>, from: unknown): T {
  const parsed = schema.safeParse(from);
  if (parsed.success) return parsed.data;
  throw new Error(problemsInWords(parsed.error));
}

async function ensureKey(file: string): Promise<string> {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(file, pem, { mode: 0o600, flag: 'wx' });
  }
  await chmod(file, 0o600);
  return file;
}

async function ownVersion(): Promise<string> {
  const file = path.join(await packageFolder(), 'package.json');
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(file, 'utf8')));
  return version;
}

/** Where package.json is, seen from the source as from the build. */
async function packageFolder(): Promise<string> {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}
