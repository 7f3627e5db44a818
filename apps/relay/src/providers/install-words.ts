import type { ProviderStatus } from '#contracts';

/** Something for the terminal: how far a step is, or how it ended. */
export interface Progress {
  readonly text: string;
  readonly ended?: 'well' | 'badly';
}

type Client = ProviderStatus['client'];

/** What a terminal is told of an installation: each step of it, and its end; nothing where none goes on. */
export function installWords(client: Client, before: Client): Progress | undefined {
  if (client.state === 'not-needed' || client.state === 'missing') return undefined;
  const name = `${client.package} ${client.version}`;
  if (client.state === 'installing') {
    return { text: `Installing ${name}: ${client.phase} (${seconds(client.elapsedMs)})` };
  }
  if (before.state !== 'installing') return undefined;
  const took = seconds(before.elapsedMs);
  return client.state === 'ready'
    ? { text: `Installing ${name} (${took})`, ended: 'well' }
    : { text: `Installing ${name} (${took}): ${client.reason}`, ended: 'badly' };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
