// `npm run demo`: for somebody without any account. The whole product as `npm start` runs it, in a home and on a port of
// its own; only the model behind the real Claude Code client is played from a script.
import './check-node.mjs';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DemoDevice } from './demo-device.mjs';
import { prepare } from './prepare.mjs';
import { ROOT } from './run-program.mjs';
import { main, PlainError } from './terminal.mjs';

const PORT = '7727';
const built = (path) => import(pathToFileURL(join(ROOT, 'dist', path)).href);

/** `npm run demo -- --sign-in`: one more link of the demo that runs. */
const linkOfRunning = async (home, { askForSignInLink }, terminal) => {
  const link = await askForSignInLink(join(home, 'hub'));
  if (link === undefined) throw new PlainError('No demo runs. Start one with: npm run demo');
  terminal.signInLink(link);
};

const attachedRelay = async (device) => {
  for (;;) {
    const { relays } = await device.call('GET', '/api/relays');
    const relay = relays.find(({ attached }) => attached);
    if (relay !== undefined) return relay;
    await pause(200);
  }
};

const writeFiles = async (folder, files) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
};

/** Starts the demo's conversations as a person would, from a device of its own. */
const startConversations = async (device, { home, conversations, modelUrl }) => {
  const relay = await attachedRelay(device);
  await device.call('PUT', `/api/relays/${relay.id}/providers/claude/settings`, {
    values: { apiKey: 'scripted', baseUrl: modelUrl },
  });
  for (const { title, folder, files, firstMessage } of conversations) {
    const path = join(home, 'projects', folder);
    await mkdir(path, { recursive: true });
    await writeFiles(path, files);
    await device.call('POST', '/api/conversations', {
      relayId: relay.id,
      provider: 'claude',
      folder: path,
      mode: 'autopilot',
      title,
      firstMessage: { messageId: randomUUID(), text: firstMessage },
    });
  }
};

/** What happens once the hub hands out its first link: the demo's own device takes it, and pairs the person's. */
const play = async (link, terminal, demo) => {
  const url = new URL(link.url);
  const device = new DemoDevice(url.origin, demo.texts);
  await device.signIn(url.hash.split('/').at(-1), 'Demo');
  const pairing = await device.call('POST', '/api/devices/pairing-links');
  terminal.signInLink({
    url: `${url.origin}/#/sign-in/${pairing.secret}`,
    expiresIn: pairing.expiresIn,
  });
  await startConversations(device, demo);
};

await main(async () => {
  await prepare();
  const [supervisor, control, terminals, folders, fresh, children, texts, models] =
    await Promise.all([
      built('apps/supervisor/src/supervise.js'),
      built('apps/supervisor/src/control-socket.js'),
      built('apps/supervisor/src/terminal.js'),
      built('apps/supervisor/src/home-folder.js'),
      built('apps/supervisor/src/begin-afresh.js'),
      built('apps/relay/src/processes/left-behind.js'),
      built('libs/contracts/src/index.js'),
      built('libs/scripted-models/src/index.js'),
    ]);
  const home = join(process.env.COXSWAIN_HOME || folders.defaultHome(process.env), 'demo');
  const plain = terminals.plainTerminal(process.stdout);
  if (process.argv.includes('--sign-in')) return linkOfRunning(home, control, plain);
  await fresh.beginAfresh(home, (relay) => children.stopLeftBehind(children.childrenFile(relay)));
  // A database of the person's own stays out of it.
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL']) delete process.env[name];
  Object.assign(process.env, {
    COXSWAIN_HOME: home,
    COXSWAIN_PORT: process.env.COXSWAIN_PORT || PORT,
    COXSWAIN_DEMO: '1',
    COXSWAIN_CLIENTS: process.env.COXSWAIN_CLIENTS || join(home, 'clients'),
  });
  const model = await models.ScriptedMessagesApi.start(models.DEMO);
  const demo = { home, texts, conversations: models.DEMO_CONVERSATIONS, modelUrl: model.url };
  let played = false;
  const terminal = {
    ...plain,
    signInLink(link) {
      if (played) return;
      played = true;
      play(link, plain, demo).catch((error) =>
        plain.say(`The demo could not be set up: ${error.message}`),
      );
    },
  };
  process.exit(await supervisor.supervise(terminal, []));
});
