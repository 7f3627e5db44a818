import { startHubProcess, type HubProcess } from './hub-process.js';
import { round, type BenchRow } from './measured.js';

const IDLE = 10_000;
/** What a hub takes up once it is warm is not counted to the conversations. */
const WARM = 500;
const AT_ONCE = 16;

/** What ten thousand conversations that do nothing cost the hub, and what they cost its next start. */
export async function measureIdleConversations(): Promise<BenchRow[]> {
  const hub = await startHubProcess();
  try {
    await startMany(hub, WARM);
    const empty = await hub.restart();
    const before = hub.memory();
    await startMany(hub, IDLE);
    const each = (hub.memory() - before) / IDLE / 1024;
    const full = await hub.restart();
    return [
      {
        what: `memory of the hub for an idle conversation, ${IDLE} of them`,
        measured: `${round(each, 1)} KB`,
        baseline: 'aim 20 KB',
        ratio: round(each / 20),
        aim: '<= 1',
      },
      {
        what: `start of the hub with ${IDLE + WARM} stored conversations`,
        measured: `${Math.round(full)} ms`,
        baseline: `${Math.round(empty)} ms with ${WARM}`,
        ratio: round(full / empty),
        aim: 'does not grow',
      },
    ];
  } finally {
    await hub.stop();
  }
}

async function startMany(hub: HubProcess, wanted: number): Promise<void> {
  for (let made = 0; made < wanted; made += AT_ONCE) {
    const some = Math.min(AT_ONCE, wanted - made);
    await Promise.all(
      Array.from({ length: some }, () =>
        hub.device.start({ relayId: hub.relay.id, provider: 'scripted' as never }),
      ),
    );
    hub.relay.heard.clear();
  }
}
