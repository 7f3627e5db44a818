import { homedir } from 'node:os';
import path from 'node:path';
import { ClientInstaller, type ClientPackage } from '#provider-kit';

/**
 * Where tests keep clients: they are hundreds of megabytes, so one download serves every run. `COXSWAIN_CLIENTS`
 * names the folder; the relay reads the same variable.
 */
export const clientCache = (): string =>
  process.env['COXSWAIN_CLIENTS'] ?? path.join(homedir(), '.cache', 'coxswain', 'clients');

/** Installs the client where it is missing, by the product's own installer, and gives back its folder. */
export const installedClient = (client: ClientPackage): Promise<string> =>
  new ClientInstaller(clientCache()).install(client);
