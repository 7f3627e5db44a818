import type { ConversationId } from '#contracts';
import { startBareRoundTrip, type BareRoundTrip } from './bare-round-trip.js';
import { startHubProcess, type HubProcess } from './hub-process.js';
import { latencies, round, type BenchRow } from './measured.js';

const OPEN = [1, 100, 1_000] as const;
const TRIPS = 200;
const WARM_UP = 30;
const BURST = 1_000;

/**
 * From the agent's tool call to the agent's answer: the relay's message, the card on a subscribed device, the tap over
 * HTTP, the settlement, the relay's message back. Beside it the same hops bare, turn by turn in the same run.
 */
export async function measureCardRoundTrip(): Promise<BenchRow[]> {
  const hub = await startHubProcess();
  try {
    await hub.device.connect();
    const address = hub.database;
    const bare = await startBareRoundTrip(
      'url' in address ? { connectionString: address.url } : { ...address },
    );
    try {
      const rows: BenchRow[] = [];
      const conversations: ConversationId[] = [];
      for (const open of OPEN) {
        await openUpTo(hub, conversations, open);
        rows.push(...(await roundTrips({ hub, bare, conversations, open })));
      }
      return [...rows, await burst(hub), memory(hub)];
    } finally {
      await bare.close();
    }
  } finally {
    await hub.stop();
  }
}

/** One more open card in each of so many conversations; they stay open. */
async function openUpTo(hub: HubProcess, open: ConversationId[], wanted: number): Promise<void> {
  while (open.length < wanted) {
    const started = await startConversation(hub);
    open.push(started);
    hub.relay.ask(started);
    await hub.device.hearRequest(started);
    hub.device.heard.clear();
  }
}

async function startConversation(hub: HubProcess): Promise<ConversationId> {
  const { id } = await hub.device.start({ relayId: hub.relay.id, provider: 'scripted' as never });
  await hub.relay.hear(id, 'send-message');
  hub.relay.heard.clear();
  return id;
}

async function roundTrips(of: {
  hub: HubProcess;
  bare: BareRoundTrip;
  conversations: readonly ConversationId[];
  open: number;
}): Promise<BenchRow[]> {
  const conversation = await startConversation(of.hub);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let trip = 0; trip < WARM_UP + TRIPS; trip += 1) {
    const mine = await oneTrip(of.hub, conversation);
    const baseline = await of.bare.once();
    if (trip < WARM_UP) continue;
    ours.push(mine);
    theirs.push(baseline);
  }
  const measured = latencies(ours);
  const baseline = latencies(theirs);
  return (['p50', 'p99'] as const).map((percentile) => ({
    what: `card round trip ${percentile}, ${of.open} open`,
    measured: `${measured[percentile]} ms`,
    baseline: `${baseline[percentile]} ms, bare ws and two commits`,
    ratio: round(measured[percentile] / baseline[percentile]),
    aim: percentile === 'p50' ? '<= 2' : '<= 4',
  }));
}

async function oneTrip(hub: HubProcess, conversation: ConversationId): Promise<number> {
  hub.device.heard.clear();
  hub.relay.heard.clear();
  const began = performance.now();
  hub.relay.ask(conversation);
  const request = await hub.device.hearRequest(conversation);
  const [card] = request.cards;
  if (card === undefined) throw new Error('a request without a card');
  const answered = hub.relay.hear(conversation, 'give-answer');
  const [answer] = await Promise.all([hub.device.answer(card, { choices: [0] }), answered]);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const took = performance.now() - began;
  hub.relay.send(conversation, {
    kind: 'answer-progress',
    requestId: request.id,
    delivery: 'delivered',
    possibleRepeat: false,
  });
  return took;
}

/** A thousand questions at once, in a thousand conversations, until all of their cards are on the device. */
async function burst(hub: HubProcess): Promise<BenchRow> {
  const conversations: ConversationId[] = [];
  while (conversations.length < BURST) conversations.push(await startConversation(hub));
  const waiting = new Set<string>(conversations);
  hub.device.heard.clear();
  const began = performance.now();
  const all = new Promise<void>((resolve) => {
    hub.device.socket?.on('inbox', ({ entries }) => {
      for (const { request } of entries) waiting.delete(request.conversationId);
      if (waiting.size === 0) resolve();
    });
  });
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
  const megabytes = hub.memory() / 1024 / 1024;
  return {
    what: 'memory of the hub with over 2,000 open cards',
    measured: `${Math.round(megabytes)} MB`,
    baseline: 'aim 150 MB with PostgreSQL',
    ratio: round(megabytes / 150),
    aim: '<= 1',
  };
}
