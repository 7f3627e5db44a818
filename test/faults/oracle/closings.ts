import type { EventBody } from '#contracts';
import { endOfWrite } from './end-of-write.js';
import { groupedBy } from '../records/grouped-by.js';
import type { ConversationRecords, StoredCard, StoredRequest } from '../records/records.js';

/** No card stays open that nobody waits for: at the end of a run every life is over. */
export function openForNobody({ database, journal }: ConversationRecords): string[] {
  const open = database.requests.filter(({ status }) => status === 'open');
  const underWay = database.requests.filter(
    ({ status, delivery }) => status === 'closed' && ['pending', 'handed'].includes(delivery),
  );
  return [
    ...open.map(({ toolCallId }) => `request ${toolCallId} is open`),
    ...underWay.map(({ toolCallId, delivery }) => `the answer to ${toolCallId} is ${delivery}`),
    ...(journal !== undefined && journal.work + journal.waiting > 0
      ? [
          `the relay still means to do ${journal.work} things and to wait in ${journal.waiting} calls`,
        ]
      : []),
  ];
}

/** A card ends by a person, its deadline or a stop, and never by a failure (C9). */
export function closedByFailure(of: ConversationRecords): string[] {
  return of.database.requests.flatMap((request) =>
    request.cards.flatMap((card) => {
      const wrong = WRONG[card.status](card, request, of);
      return wrong === undefined ? [] : [`a card of ${request.toolCallId} ${wrong}`];
    }),
  );
}

type Judge = (
  card: StoredCard,
  request: StoredRequest,
  of: ConversationRecords,
) => string | undefined;

const byPerson: Judge = ({ status, settledBy, settledAt }, { deadlineAt }) => {
  if (settledBy?.principal.kind !== 'device')
    return `was ${status} by ${settledBy?.name ?? 'nobody'}`;
  return (settledAt ?? Infinity) >= deadlineAt ? `was ${status} after its deadline` : undefined;
};

const WRONG: Readonly<Record<StoredCard['status'], Judge>> = {
  open: (_card, { status }) => (status === 'closed' ? 'is open in a closed request' : undefined),
  answered: byPerson,
  skipped: byPerson,
  expired: ({ settledBy, settledAt }, { deadlineAt }) => {
    if (settledBy?.principal.kind !== 'hub') return `expired by ${settledBy?.name ?? 'nobody'}`;
    return (settledAt ?? 0) < deadlineAt ? 'expired before its deadline' : undefined;
  },
  cancelled: (_card, request, of) =>
    wasStopped(of, request) || wasGivenUp(of, request)
      ? undefined
      : 'was cancelled, and nobody stopped the turn or gave the question up',
  lost: () => 'was lost',
};

/** A stop after the message that made the agent ask, and at the latest in the write that closed the request. */
function wasStopped({ database }: ConversationRecords, { id }: StoredRequest): boolean {
  const { events } = database;
  const at = (is: (body: EventBody) => boolean): number => events.findIndex(({ body }) => is(body));
  const opened = at((body) => body.kind === 'request-opened' && body.request.id === id);
  const closed = at((body) => body.kind === 'request-closed' && body.requestId === id);
  const message = events
    .slice(0, opened)
    .flatMap(({ body }) => (body.kind === 'message-picked-up' ? [body.messageId] : []))
    .at(-1);
  const sent = at((body) => body.kind === 'message-accepted' && body.messageId === message);
  return events
    .slice(Math.max(sent, 0), endOfWrite(events, closed) + 1)
    .some(({ body }) => body.kind === 'stop-asked');
}

/** A client that asks is never asked to close: not for being idle either (C17). */
export function putToSleepAsking({ client }: ConversationRecords): string[] {
  return [...groupedBy(client, ({ life }) => life).values()].flatMap((entries) => {
    if (!entries.some(({ kind }) => kind === 'closed')) return [];
    const over = new Set(
      entries.flatMap((entry) =>
        entry.kind === 'result' || entry.kind === 'withdrew' ? [entry.call] : [],
      ),
    );
    return entries.flatMap((entry) =>
      entry.kind === 'asks' && !over.has(entry.call)
        ? [`its client was closed in ${entry.call}`]
        : [],
    );
  });
}

const wasGivenUp = ({ client }: ConversationRecords, { toolCallId }: StoredRequest): boolean =>
  client.some((entry) => entry.kind === 'withdrew' && entry.call === toolCallId);
