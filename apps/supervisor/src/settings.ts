import { z } from 'zod';
import { defaultHome } from './home-folder.js';
import { ReachEnvironment, reachSettings, type ReachSettings } from './reach-settings.js';

/** Where the page is, unless `COXSWAIN_PORT` says otherwise. */
export const DEFAULT_PORT = 7717;

/** What a person can set; the README has the table. Empty counts as not set. */
const Environment = z.object({
  COXSWAIN_HOME: z.string().optional(),
  COXSWAIN_PORT: z.coerce.number().int().min(1).max(65_535).default(DEFAULT_PORT),
  COXSWAIN_DEMO: z.enum(['0', '1']).default('0'),
  COXSWAIN_RELAY_NAME: z.string().max(200).optional(),
  ...ReachEnvironment.shape,
});

const OPTIONS: readonly string[] = ['--sign-in', '--forget-passkeys'];

/** How the supervisor was asked to run. */
export interface Settings {
  /** The one folder of everything, absolute. */
  readonly home: string;
  readonly port: number;
  readonly demo: boolean;
  readonly relayName: string | undefined;
  /** Absent where nothing but the loopback is served. */
  readonly reach: ReachSettings | undefined;
  /** Print a sign-in link although there is a device already. */
  readonly signIn: boolean;
  /** Take all passkeys away, for who lost them. */
  readonly forgetPasskeys: boolean;
}

/** What was set can't be used; the message names it, what is wrong and what is allowed. */
export class SettingsError extends Error {}

/** @throws SettingsError, ReachError */
export function readSettings(environment: NodeJS.ProcessEnv, args: readonly string[]): Settings {
  const set = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const parsed = Environment.safeParse(Object.fromEntries(set));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}`,
    );
    throw new SettingsError(problems.join('\n'));
  }
  const unknown = args.find((argument) => !OPTIONS.includes(argument));
  if (unknown !== undefined) {
    throw new SettingsError(`"${unknown}" is not known; the options are ${OPTIONS.join(', ')}.`);
  }
  const { data } = parsed;
  return {
    home: data.COXSWAIN_HOME ?? defaultHome(environment),
    port: data.COXSWAIN_PORT,
    demo: data.COXSWAIN_DEMO === '1',
    relayName: data.COXSWAIN_RELAY_NAME,
    reach: reachSettings(data, data.COXSWAIN_PORT),
    signIn: args.includes('--sign-in'),
    forgetPasskeys: args.includes('--forget-passkeys'),
  };
}
