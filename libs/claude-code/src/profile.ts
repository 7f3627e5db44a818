import type { DriverHost } from '#provider-kit';

/** What differs between providers whose agents run in this client. */
export interface ClaudeCodeProfile {
  /** What the process is called in the relay's records. */
  readonly what: string;
  /** Whether the client's cost is right for this provider; else it is not told (D10). */
  readonly reportsCost: boolean;
  /**
   * The variables that lead the client to the provider's models, secrets included.
   * Rejects with a `DriverFailure` where a setting is missing.
   */
  environment(host: Pick<DriverHost, 'settings'>): Record<string, string>;
  /** The model to ask for; undefined leaves it to the client. */
  model(chosen: string | undefined, settings: DriverHost['settings']): string | undefined;
}

/**
 * The whole environment of the client's process: the relay's allow list, the provider's own variables, and
 * what keeps the client from phoning elsewhere or changing its version.
 */
export function clientEnvironment(
  profile: ClaudeCodeProfile,
  host: Pick<DriverHost, 'settings' | 'environment' | 'homeFolder'>,
): Record<string, string> {
  return {
    ...host.environment,
    HOME: host.homeFolder,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ...profile.environment(host),
  };
}

/**
 * Set where a key of ours is used: a folder's settings can't send the key to another address then, and the
 * commands that the agent runs don't inherit it (both measured). They can still read it where the client has it: they
 * run under the same user, whose processes and files are open to them.
 */
export const KEY_IS_OURS = { CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1' };
