import type { EventBody, EventBodyOf, EventKind } from '#contracts';
import { digestOf } from '../records/canonical.js';
import { groupedBy } from '../records/grouped-by.js';
import type {
  ClientEntry,
  ConversationRecords,
  RunRecords,
  SeenByDevice,
  SeenEvent,
} from '../records/records.js';

/** Events are numbered without a gap, and each thing happens once. */
export function missingOrDoubledEvents({ database }: ConversationRecords): string[] {
  const { events, lastEventN } = database;
  const numbers = events.flatMap(({ n }, at) =>
    n === at + 1 ? [] : [`event ${n} stands at ${at + 1}`],
  );
  const names = events.flatMap(({ body }) => onceOnly(body));
  return [
    ...numbers.slice(0, 1),
    ...(events.length === lastEventN
      ? []
      : [`${lastEventN} events were given out and ${events.length} are there`]),
    ...twice(names).map((name) => `there are two of ${name}`),
    ...events.flatMap(({ body }) =>
      body.kind === 'tombstone' ? [`a ${body.what} was refused: ${body.reason}`] : [],
    ),
  ];
}

const never = (): string[] => [];

/** A name for each thing that can happen once only. */
const ONCE_ONLY: { [K in EventKind]: (body: EventBodyOf<K>) => string[] } = {
  'conversation-created': () => ['creation'],
  'message-accepted': ({ messageId }) => [messageId],
  'message-picked-up': ({ messageId }) => [messageId],
  'message-cancelled': ({ messageId }) => [messageId],
  'turn-started': ({ turnId }) => [turnId],
  'turn-ended': ({ turnId }) => [turnId],
  text: ({ blockId, part }) => [`${blockId} ${part?.index ?? 0}`],
  thought: ({ blockId, part }) => [`${blockId} ${part?.index ?? 0}`],
  'tool-called': ({ toolCallId }) => [toolCallId],
  'tool-returned': ({ toolCallId, part }) => [`${toolCallId} ${part?.index ?? 0}`],
  'request-opened': ({ request }) => [request.toolCallId],
  'request-closed': ({ requestId }) => [requestId],
  'card-settled': ({ card }) => [`${card.id} ${card.version}`],
  'delivery-changed': ({ requestId, delivery }) => [`${requestId} ${delivery}`],
  'request-detached': never,
  'deadline-extended': never,
  'mode-changed': never,
  'mode-acknowledged': never,
  'stop-asked': never,
  notice: never,
  renamed: never,
  tombstone: never,
};

function onceOnly(body: EventBody): string[] {
  const names = ONCE_ONLY[body.kind] as (of: EventBody) => string[];
  return names(body).map((name) => `${body.kind} ${name}`);
}

/** Hub and relay have the same numbers of both directions, and the log has what the relay was told, in its order. */
export function unevenLink({ database, journal }: ConversationRecords): string[] {
  if (journal === undefined) return ['the relay has no journal of it'];
  const stored = database.events.filter(({ body }) => AGENT_KINDS.has(body.kind));
  const at = journal.events.findIndex(
    (event, place) => digestOf(event) !== digestOf(stored[place]?.body),
  );
  return [
    ...(journal.sent === database.receivedN
      ? []
      : [`the relay has sent ${journal.sent} and the hub has ${database.receivedN}`]),
    ...(journal.received === database.sentN
      ? []
      : [`the hub has sent ${database.sentN} and the relay has ${journal.received}`]),
    ...(at < 0 ? [] : [`event ${at + 1} of the relay's journal is not that of the log`]),
    ...(journal.events.length < stored.length
      ? ['the log has events that the relay never told']
      : []),
  ];
}

const AGENT_KINDS: ReadonlySet<string> = new Set<EventBody['kind']>([
  ...(['turn-started', 'text', 'thought', 'tool-called'] as const),
  ...(['tool-returned', 'turn-ended', 'notice'] as const),
]);

/** A relay that was paused before it was killed has read nothing for as long as that. */
const READ_WITHIN_MS = 60_000;

/**
 * What a client said stands in the log once and in its order. Only the end of what a process said can be missing, and
 * only where it or its relay was killed: what a dead relay had not read nobody can know.
 */
export function lostWords(
  of: ConversationRecords,
  { relayDeaths }: Pick<RunRecords, 'relayDeaths'>,
): string[] {
  const stored = of.database.events.flatMap(({ body }) =>
    body.kind === 'text' ? [body.text] : [],
  );
  const place = new Map(stored.map((text, at) => [text, at]));
  return [
    ...twice(stored).map((text) => `"${text}" stands in the log twice`),
    ...[...groupedBy(of.client, ({ life }) => life).values()].flatMap((entries) =>
      lostInLife(entries, place, relayDeaths),
    ),
  ];
}

function lostInLife(
  entries: readonly ClientEntry[],
  place: ReadonlyMap<string, number>,
  relayDeaths: readonly number[],
): string[] {
  const said = entries.flatMap((entry) => (entry.kind === 'says' ? [entry] : []));
  const places = said.map(({ text }) => place.get(text));
  const kept = places.filter((at) => at !== undefined);
  if (kept.some((at, n) => n > 0 && at < (kept[n - 1] ?? 0)))
    return ['words stand in another order'];
  const lost = said.length - kept.length;
  const first = said[places.indexOf(undefined)];
  if (first === undefined) return [];
  if (lost < said.length - places.indexOf(undefined)) {
    return [`"${first.text}" is missing, and what followed it is there`];
  }
  const closed = entries.some(({ kind }) => kind === 'closed');
  const relayDied = relayDeaths.some(
    (at) => at > first.at - 1_000 && at < first.at + READ_WITHIN_MS,
  );
  // A client writes down what it says before it says it: when it is killed, one line at most is its own loss.
  return !closed && (relayDied || lost === 1) ? [] : [`"${first.text}" is missing`];
}

/**
 * What a device was shown is what is stored, in order and to the end. An event that it has may be shown again (who was
 * behind gets everything anew), but none is left out.
 */
export function wrongOnDevice(
  { database, id }: ConversationRecords,
  device: SeenByDevice,
): string[] {
  const seen = device.conversations.find((one) => one.id === id)?.seen ?? [];
  const stored = new Map(database.events.map((event) => [event.n, digestOf(event)]));
  const gap = firstGap(seen);
  const other = seen.find(({ n, digest }) => stored.get(n) !== digest);
  const last = Math.max(0, ...seen.map(({ n }) => n));
  return [
    ...(gap === undefined
      ? []
      : [`${device.name} was shown event ${gap} before the one before it`]),
    ...(other === undefined
      ? []
      : [`${device.name} was shown another event ${other.n} than is stored`]),
    ...(last === database.lastEventN
      ? []
      : [`${device.name} was shown ${last} of ${database.lastEventN} events`]),
  ];
}

function firstGap(seen: readonly SeenEvent[]): number | undefined {
  let last = 0;
  for (const { n, anew } of seen) {
    if (!anew && n > last + 1) return n;
    last = anew ? n : Math.max(last, n);
  }
  return undefined;
}

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
