import type { ConversationRecords, StoredRequest } from '../records/records.js';
import { endOfWrite } from './end-of-write.js';
import { answersTaken, messagesTaken, type Handing } from './handings.js';

type Said = string[];

/** No accepted answer is lost (C11): whatever ended a request reached the client, unless a stop came first. */
export function lostAnswers(of: ConversationRecords): Said {
  return of.database.requests.flatMap((request) => {
    const taken = answersTaken(of, request);
    if (request.status === 'open') return [];
    if (request.outcome === 'cancelled' || request.outcome === 'lost') {
      return request.delivery === 'none'
        ? []
        : [`${named(request)} was cancelled and is ${request.delivery}`];
    }
    if (request.delivery === 'superseded') {
      return wasStopped(of, request) ? [] : [`${named(request)} is superseded without a stop`];
    }
    if (request.delivery !== 'delivered') return [`${named(request)} ended as ${request.delivery}`];
    if (taken.length === 0)
      return [`${named(request)} counts as delivered, and the client never took it`];
    return wrongWords(request, taken);
  });
}

/** No answer is given twice: a repeat is marked as one, to the agent and in the row. */
export function repeatedAnswers(of: ConversationRecords): Said {
  return of.database.requests.flatMap((request) => {
    const taken = answersTaken(of, request);
    const unmarked = taken.filter(({ marked }) => !marked).length;
    if (unmarked > 1) return [`${named(request)} was given ${unmarked} times`];
    if (taken.length > unmarked && !request.possibleRepeat) {
      return [
        `${named(request)} was marked to the agent as a possible repeat, and is not in its row`,
      ];
    }
    if (request.outcome === 'cancelled' && taken.length > 0) {
      return [`${named(request)} was cancelled, and the client was given ${taken.length} results`];
    }
    return [];
  });
}

/** What was queued behind a card comes after its answer (C11, C17). */
export function queuedBeforeAnswer(of: ConversationRecords): Said {
  const { events } = of.database;
  return of.database.requests.flatMap((request) => {
    const [first] = answersTaken(of, request);
    if (first === undefined) return [];
    const opened = events.findIndex(
      ({ body }) => body.kind === 'request-opened' && body.request.id === request.id,
    );
    const closed = closingOf(of, request);
    const queued = events
      .slice(opened, closed)
      .flatMap(({ body }) => (body.kind === 'message-accepted' && body.queued ? [body] : []));
    return queued
      .filter(({ messageId }) => (messagesTaken(of, messageId)[0]?.at ?? Infinity) < first.at)
      .map(
        ({ messageId }) =>
          `message ${messageId}, queued behind ${named(request)}, came before its answer`,
      );
  });
}

const named = ({ toolCallId, outcome }: StoredRequest): string =>
  `request ${toolCallId} (${outcome ?? 'open'})`;

/** Each answer that counts stands in what the client was told. */
function wrongWords(request: StoredRequest, taken: readonly Handing[]): Said {
  return request.cards.flatMap(({ status, answer }) => {
    const expected = status === 'answered' ? answer?.text : undefined;
    if (expected === undefined || taken.some(({ text }) => text.includes(expected))) return [];
    return [`${named(request)} was answered with ${expected}, and the client was told otherwise`];
  });
}

function closingOf({ database }: ConversationRecords, { id }: StoredRequest): number {
  return database.events.findIndex(
    ({ body }) => body.kind === 'request-closed' && body.requestId === id,
  );
}

/** A stop after the request had closed, and at the latest in the write that superseded its answer. */
function wasStopped(of: ConversationRecords, request: StoredRequest): boolean {
  const { events } = of.database;
  const superseded = events.findIndex(
    ({ body }) =>
      body.kind === 'delivery-changed' &&
      body.requestId === request.id &&
      body.delivery === 'superseded',
  );
  return events
    .slice(closingOf(of, request), endOfWrite(events, superseded) + 1)
    .some(({ body }) => body.kind === 'stop-asked');
}
