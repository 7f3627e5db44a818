import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderOnRelay, Relay, RelayId } from '#contracts';
import { ScriptedMessagesApi, type Scenario } from '#scripted-models';
import { clientCache } from './client-cache.js';
import { DeviceClient } from './device-client.js';
import { startProduct, type Product } from './product.js';
import { makeScratchFolder } from './scratch-folder.js';

/** The whole product with the real Claude Code client, whose model is played from a scenario. */
export interface ClaudeProduct {
  readonly product: Product;
  readonly model: ScriptedMessagesApi;
  /** A device that is signed in by the link that the terminal printed. */
  readonly device: DeviceClient;
  readonly relayId: RelayId;
  /** A folder for an agent to work in, made new. */
  folder(name: string): string;
  /** The address that signs one more device in. */
  pairingLink(): Promise<string>;
  close(): Promise<void>;
}

export async function startClaudeProduct(
  scenario: Scenario,
  environment: Readonly<Record<string, string>> = {},
): Promise<ClaudeProduct> {
  const scratch = await makeScratchFolder();
  const model = await ScriptedMessagesApi.start(scenario);
  await mkdir(clientCache(), { recursive: true });
  const product = await startProduct({
    home: scratch.path,
    environment: { COXSWAIN_CLIENTS: clientCache(), ...environment },
  });
  const device = new DeviceClient(product.url, 'Workbench');
  const signedIn = await device.signIn(product.signInLink.split('/').at(-1) ?? '');
  if (signedIn.status !== 200) throw new Error(JSON.stringify(signedIn.body));
  const relay = await readyRelay(device);
  const settings = { values: { apiKey: 'dummy-key', baseUrl: model.url } };
  const path = `/api/relays/${relay.id}/providers/claude/settings`;
  const set = await device.call('PUT', path, JSON.stringify(settings));
  if (set.status !== 200) throw new Error(JSON.stringify(set.body));
  return {
    product,
    model,
    device,
    relayId: relay.id,
    folder(name) {
      const folder = join(scratch.path, 'work', name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    async pairingLink() {
      const made = await device.post('/api/devices/pairing-links');
      return `${product.url}/#/sign-in/${(made.body as { secret: string }).secret}`;
    },
    async close() {
      device.close();
      await product.stop();
      await model.stop();
      await scratch.remove();
    },
  };
}

const clientsOf = (relay: Relay) =>
  relay.providers
    .filter(({ descriptor }: ProviderOnRelay) => descriptor.capabilities.questions)
    .map(({ status }) => status.client);

const isReady = (relay: Relay): boolean =>
  relay.attached && clientsOf(relay).some(({ state }) => state === 'ready');

const hasFailed = (relay: Relay): boolean =>
  clientsOf(relay).some(({ state }) => state === 'failed');

/** The relay beside the hub, once it is attached and its client is installed. */
async function readyRelay(device: DeviceClient): Promise<Relay> {
  const snapshot = await device.connect();
  const ready = snapshot.relays.find(isReady);
  if (ready !== undefined) return ready;
  const { relay } = await device.hear('relay', (of) => isReady(of.relay) || hasFailed(of.relay));
  if (!isReady(relay)) throw new Error(JSON.stringify(clientsOf(relay)));
  return relay;
}
