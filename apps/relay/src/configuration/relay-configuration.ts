import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { RelayConfig } from '#contracts';

/** What a relay needs to know to run. */
export interface RelayConfiguration {
  readonly hubUrl: string;
  /** The hub's raw public key where it is known beforehand; otherwise the first hub's is kept. */
  readonly hubKey?: string;
  readonly home: string;
  /** Besides {@link home}: folders that no agent's tools may read or write. */
  readonly secretFolders?: readonly string[];
  readonly keyFile: string;
  readonly name: string;
  readonly logLevel: string;
  /** A session in which nothing happens is put to sleep after this. */
  readonly idleMs: number;
  /** Where the providers' clients are installed; several relays may share it. */
  readonly clients?: string;
}

const Environment = z.object({
  COXSWAIN_HUB_URL: z.url({
    error: 'must be the address of the hub, such as http://127.0.0.1:7717',
  }),
  COXSWAIN_RELAY_HOME: z.string().min(1).optional(),
  COXSWAIN_RELAY_KEY: z.string().min(1).optional(),
  COXSWAIN_RELAY_NAME: z.string().min(1).max(200).optional(),
  COXSWAIN_HUB_KEY: z.string().min(1).optional(),
});

const Tuning = z.object({
  COXSWAIN_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' })
    .default('info'),
  COXSWAIN_IDLE_MINUTES: z.coerce
    .number({ error: 'must be a number of minutes' })
    .positive('must be more than 0')
    .default(10),
  COXSWAIN_CLIENTS: z.string().refine(path.isAbsolute, 'must be an absolute path').optional(),
});

/** A configuration that can't be used: which variable, what was wrong, what is allowed. */
export class ConfigurationInvalid extends Error {
  constructor(problems: z.ZodError) {
    super(
      problems.issues
        .map(({ path: at, message }) => `${at.join('.') || 'configuration'}: ${message}`)
        .join('\n'),
    );
    this.name = 'ConfigurationInvalid';
  }
}

function parsed<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value);
  if (!result.success) throw new ConfigurationInvalid(result.error);
  return result.data;
}

function tuning(
  environment: NodeJS.ProcessEnv,
): Pick<RelayConfiguration, 'logLevel' | 'idleMs' | 'clients'> {
  const known = parsed(Tuning, environment);
  return {
    logLevel: known.COXSWAIN_LOG_LEVEL,
    idleMs: known.COXSWAIN_IDLE_MINUTES * 60_000,
    ...(known.COXSWAIN_CLIENTS !== undefined && { clients: known.COXSWAIN_CLIENTS }),
  };
}

/** For a relay that is started by itself, such as on another machine. Throws {@link ConfigurationInvalid}. */
export function configurationFromEnvironment(environment: NodeJS.ProcessEnv): RelayConfiguration {
  const known = parsed(Environment, environment);
  const home = known.COXSWAIN_RELAY_HOME ?? path.join(homedir(), '.coxswain-relay');
  return {
    hubUrl: known.COXSWAIN_HUB_URL,
    home,
    keyFile: known.COXSWAIN_RELAY_KEY ?? path.join(home, 'relay-key.pem'),
    name: known.COXSWAIN_RELAY_NAME ?? hostname(),
    ...(known.COXSWAIN_HUB_KEY !== undefined && { hubKey: known.COXSWAIN_HUB_KEY }),
    ...tuning(environment),
  };
}

/** For a relay that a supervisor has started. Throws {@link ConfigurationInvalid}. */
export function configurationFromSupervisor(
  message: unknown,
  environment: NodeJS.ProcessEnv,
): RelayConfiguration {
  const { hubUrl, hubKey, home, secretFolders, keyFile, name } = parsed(RelayConfig, message);
  return { hubUrl, hubKey, home, secretFolders, keyFile, name, ...tuning(environment) };
}
