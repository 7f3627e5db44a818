import type { ConversationId, HubEnvelope } from '#contracts';
import { startBareRoundTrip, type BareRoundTrip } from './bare-round-trip.js';
import { startHubProcess, type HubProcess } from './hub-process.js';
import { LeanDevice } from './lean-device.js';
import { latencies, round, type BenchRow } from './measured.js';
import { measureStreaming } from './streaming.js';

const OPEN = [1, 100, 1_000] as const;
const TRIPS = 300;
const WARM_UP = 100;
const BURST = 1_000;

/** A hub with one relay and one device that is told of everything. */
interface Stage {
  readonly hub: HubProcess;
  readonly device: LeanDevice;
  readonly bare: BareRoundTrip;
}

/** Everything that is measured of one hub while cards open, are answered, and agents write. */
export async function measureCards(): Promise<BenchRow[]> {
  const hub = await startHubProcess();
  try {
    const device = await LeanDevice.connect(hub.device);
    const address = hub.database;
    const connection = 'url' in address ? { connectionString: address.url } : { ...address };
    const bare = await startBareRoundTrip(connection);
    try {
      return await measureOn({ hub, device, bare });
    } finally {
      await bare.close();
      device.close();
    }
  } finally {
    await hub.stop();
  }
}

async function measureOn(stage: Stage): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const open: ConversationId[] = [];
  for (const wanted of OPEN) {
    await openUpTo(stage, open, wanted);
    rows.push(...(await roundTrips(stage, wanted)));
  }
  rows.push(memory(stage.hub));
  rows.push(await burst(stage));
  rows.push(await measureStreaming(stage.hub));
  return rows;
}

/** One more open card in each of so many conversations; they stay open. */
async function openUpTo(
  { hub, device }: Stage,
  open: ConversationId[],
  wanted: number,
): Promise<void> {
  while (open.length < wanted) {
    const started = await startConversation(hub);
    open.push(started);
    const shown = device.nextRequest(started);
    hub.relay.ask(started);
    await shown;
  }
}

async function startConversation(hub: HubProcess): Promise<ConversationId> {
  const { id } = await hub.device.start({ relayId: hub.relay.id, provider: 'scripted' as never });
  await hub.relay.hear(id, 'send-message');
  hub.relay.heard.clear();
  return id;
}

/**
 * From the agent's tool call to the agent's answer: the relay's message, the card on a subscribed device, the tap over
 * HTTP, the settlement, the relay's message back. Beside it the same hops bare, turn by turn in the same run.
 */
async function roundTrips(stage: Stage, open: number): Promise<BenchRow[]> {
  const conversation = await startConversation(stage.hub);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let trip = 0; trip < WARM_UP + TRIPS; trip += 1) {
    const mine = await oneTrip(stage, conversation);
    const baseline = await stage.bare.once();
    if (trip < WARM_UP) continue;
    ours.push(mine);
    theirs.push(baseline);
  }
  const measured = latencies(ours);
  const baseline = latencies(theirs);
  return (['p50', 'p99'] as const).map((percentile) => ({
    what: `card round trip ${percentile}, ${open} open`,
    measured: `${measured[percentile]} ms`,
    baseline: `${baseline[percentile]} ms, bare ws and two commits`,
    ratio: round(measured[percentile] / baseline[percentile]),
    aim: percentile === 'p50' ? '<= 2' : '<= 4',
  }));
}

async function oneTrip({ hub, device }: Stage, conversation: ConversationId): Promise<number> {
  const { relay } = hub;
  relay.heard.clear();
  relay.receipts.clear();
  const shown = device.nextRequest(conversation);
  const given = answerGiven(hub, conversation);
  const began = performance.now();
  relay.ask(conversation);
  const request = await shown;
  const [card] = request.cards;
  if (card === undefined) throw new Error('a request without a card');
  await Promise.all([device.answer(card, { choices: [0] }), given]);
  const took = performance.now() - began;
  await relay.sendAndSettle(conversation, {
    kind: 'answer-progress',
    requestId: request.id,
    delivery: 'delivered',
    possibleRepeat: false,
  });
  return took;
}

function answerGiven({ relay }: HubProcess, conversation: ConversationId): Promise<void> {
  return new Promise((resolve) => {
    const hear = ({ messages }: { messages: HubEnvelope[] }): void => {
      const mine = messages.some(
        ({ conversationId, message }) =>
          conversationId === conversation && message.kind === 'give-answer',
      );
      if (!mine) return;
      relay.socket?.off('messages', hear);
      resolve();
    };
    relay.socket?.on('messages', hear);
  });
}

/** A thousand questions at once, in a thousand conversations, until all of their cards are on the device. */
async function burst({ hub, device }: Stage): Promise<BenchRow> {
  const conversations: ConversationId[] = [];
  while (conversations.length < BURST) conversations.push(await startConversation(hub));
  const all = Promise.all(conversations.map((conversation) => device.nextRequest(conversation)));
  const began = performance.now();
  for (const conversation of conversations) hub.relay.ask(conversation);
  await all;
  const perSecond = BURST / ((performance.now() - began) / 1000);
  return {
    what: `burst of ${BURST} cards, none refused`,
    measured: `${Math.round(perSecond)} cards/s`,
    baseline: 'aim 1,100 cards/s',
    ratio: round(perSecond / 1_100),
    aim: '>= 1',
  };
}

function memory(hub: HubProcess): BenchRow {
  const [own, database] = [hub.memory(), hub.databaseMemory()].map((bytes) => bytes / 1024 / 1024);
  const both = (own ?? 0) + (database ?? 0);
  return {
    what: 'memory of hub and PostgreSQL with 1,000 open cards',
    measured: `${Math.round(own ?? 0)} + ${Math.round(database ?? 0)} MB`,
    baseline: 'aim 150 MB',
    ratio: round(both / 150),
    aim: '<= 1',
  };
}
