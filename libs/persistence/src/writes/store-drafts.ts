import type { Card, HubRun } from '#contracts';
import type pg from 'pg';
import { allInOrder } from './all-in-order.js';
import { auditColumns } from './audit-columns.js';
import type { ConversationDraft, RequestDraft } from './conversation-draft.js';
import { decisionColumn } from './stored-rows.js';
import {
  APPEND,
  CHANGE_MESSAGES,
  CREATE_CONVERSATIONS,
  HAND_OUT,
  INSERT_AUDIT,
  OPEN_REQUESTS,
  QUEUE_MESSAGES,
  REMEMBER,
  SETTLE,
  SUPERSEDE,
} from './statements.js';

/**
 * Stores what a flush planned and ends its transaction: one statement a table, none where there is nothing. All are sent
 * at once, in an order in which each finds what it refers to, and the commit with them: where a statement fails, or finds
 * something otherwise than planned (`as_planned`), PostgreSQL takes the commit as a rollback.
 *
 * @param hubRun the mark of this life of the hub, for what is handed out
 * @throws the error of the first statement that failed; SQLSTATE 40001 where the plan is outdated
 */
export async function storeAndCommit(
  client: pg.ClientBase,
  all: readonly ConversationDraft[],
  hubRun: HubRun,
): Promise<void> {
  const drafts = all.filter(isChanged);
  const requests = drafts.flatMap((draft) => draft.requests);
  const audit = drafts.flatMap((draft) => draft.audit);
  await allInOrder<unknown[]>([
    createConversations(
      client,
      drafts.filter((draft) => draft.isNew),
    ),
    openRequests(client, drafts),
    settleRequests(
      client,
      requests.filter(({ before, now }) => before !== now),
    ),
    append(client, drafts),
    queueMessages(client, drafts),
    changeMessages(client, drafts),
    handOut(client, drafts, hubRun),
    supersede(client, drafts),
    remember(client, drafts),
    ...(audit.length > 0 ? [run(client, 'insert-audit', INSERT_AUDIT, auditColumns(audit))] : []),
    run(client, 'commit', 'commit', []),
  ]);
}

function isChanged({ head, headBefore, rowChanged, isNew }: ConversationDraft): boolean {
  const moved =
    head.lastEventN !== headBefore.lastEventN ||
    head.receivedN !== headBefore.receivedN ||
    head.sentN !== headBefore.sentN ||
    head.version !== headBefore.version;
  return isNew ? head.lastEventN > 0 : moved || rowChanged;
}

async function createConversations(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map(({ row }) => row);
  await run(client, 'create-conversations', CREATE_CONVERSATIONS, [
    rows.map(({ id }) => id),
    rows.map(({ personId }) => personId),
    rows.map(({ relayId }) => relayId),
    rows.map(({ provider }) => provider),
    rows.map(({ engine }) => engine),
    rows.map(({ model }) => model),
    rows.map(({ folder }) => folder),
    rows.map(({ title }) => title),
    rows.map(({ mode }) => mode),
    rows.map(({ createdAt }) => createdAt),
  ]);
}

async function openRequests(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  const opened = drafts.flatMap((draft) =>
    draft.requests
      .filter(({ isNew }) => isNew)
      .map(({ before, canonical }) => ({
        request: before,
        canonical,
        personId: draft.row.personId,
      })),
  );
  if (opened.length === 0) return;
  const cards = opened.flatMap(({ request }) => request.cards);
  await run(client, 'open-requests', OPEN_REQUESTS, [
    opened.map(({ request }) => request.id),
    opened.map(({ request }) => request.conversationId),
    opened.map(({ personId }) => personId),
    opened.map(({ request }) => request.toolCallId),
    opened.map(({ request }) => request.turnId ?? null),
    opened.map(({ canonical }) => canonical),
    opened.map(({ request }) => request.openedAt),
    opened.map(({ request }) => request.deadlineAt),
    opened.map(({ request }) => request.deadlineOurs),
    opened.map(({ request }) => request.askedBy ?? null),
    cards.map(({ id }) => id),
    cards.map(({ requestId }) => requestId),
    cards.map(({ position }) => position),
    cards.map(({ body }) => JSON.stringify(body)),
  ]);
}

async function settleRequests(
  client: pg.ClientBase,
  changed: readonly RequestDraft[],
): Promise<void> {
  if (changed.length === 0) return;
  const cards = changed.flatMap(changedCards);
  const now = changed.map((draft) => draft.now);
  await run(client, 'settle', SETTLE, [
    now.map(({ id }) => id),
    changed.map(({ guard }) => guard),
    changed.map(({ before }) => before.version),
    now.map(({ version }) => version),
    now.map(({ toolCallId }) => toolCallId),
    now.map(({ status }) => status),
    now.map(({ outcome }) => outcome ?? null),
    now.map(({ deadlineAt }) => deadlineAt),
    now.map(({ detached }) => detached),
    now.map(({ delivery }) => delivery),
    now.map(({ possibleRepeat }) => possibleRepeat),
    ...cardColumns(cards),
  ]);
}

interface CardChange {
  readonly card: Card;
  readonly versionBefore: number;
}

function changedCards({ before, now }: RequestDraft): CardChange[] {
  return now.cards.flatMap((card, index) => {
    const versionBefore = before.cards[index]?.version ?? 0;
    return card.version === versionBefore ? [] : [{ card, versionBefore }];
  });
}

function cardColumns(changes: readonly CardChange[]): unknown[] {
  const settled = changes.map(({ card }) => card.settlement);
  return [
    changes.map(({ card }) => card.id),
    changes.map(({ card }) => card.requestId),
    changes.map(({ versionBefore }) => versionBefore),
    changes.map(({ card }) => card.version),
    changes.map(({ card }) => card.status),
    settled.map((settlement) => json(decisionColumn(settlement))),
    settled.map((settlement) => json(settlement?.by)),
    settled.map((settlement) => settlement?.at ?? null),
  ];
}

async function append(client: pg.ClientBase, drafts: readonly ConversationDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  const events = drafts.flatMap(({ head, events: logged }) =>
    logged.map((event) => ({ ...event, head })),
  );
  await run(client, 'append', APPEND, [
    drafts.map(({ head }) => head.conversationId),
    drafts.map(({ headBefore }) => headBefore.epoch),
    drafts.map(({ headBefore }) => headBefore.receivedN),
    drafts.map(({ headBefore }) => headBefore.lastEventN),
    drafts.map(({ head }) => head.lastEventN),
    drafts.map(({ head }) => head.receivedN),
    drafts.map(({ head }) => head.sentN),
    drafts.map(({ head }) => head.lastQueueN),
    drafts.map(({ head }) => head.version),
    events.map(({ head }) => head.month),
    events.map(({ head }) => head.conversationId),
    events.map(({ n }) => n),
    events.map(({ at }) => at),
    events.map(({ body }) => JSON.stringify(body)),
    ...conversationColumns(drafts.filter(({ rowChanged }) => rowChanged)),
  ]);
}

function conversationColumns(drafts: readonly ConversationDraft[]): unknown[] {
  const rows = drafts.map(({ row }) => row);
  return [
    rows.map(({ id }) => id),
    rows.map(({ title }) => title),
    rows.map(({ mode }) => mode),
    rows.map(({ modeVersion }) => modeVersion),
    rows.map(({ modeAcknowledged }) => modeAcknowledged),
    rows.map(({ process }) => process),
    rows.map(({ turn }) => turn),
    rows.map(({ failure }) => json(failure)),
    rows.map(({ sessionRef }) => sessionRef),
    rows.map(({ openCards }) => openCards),
    rows.map(({ waitingSince }) => waitingSince),
    rows.map(({ queued }) => queued),
    rows.map(({ lastLine }) => lastLine),
    rows.map(({ lastEventAt }) => lastEventAt),
    rows.map(({ archivedAt }) => archivedAt),
    rows.map(({ deletedAt }) => deletedAt),
    rows.map(({ grants }) => JSON.stringify(grants)),
  ];
}

async function queueMessages(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  const added = drafts
    .flatMap(({ messages }) => messages.filter(({ isNew }) => isNew))
    .map(({ row }) => row);
  if (added.length === 0) return;
  await run(client, 'queue-messages', QUEUE_MESSAGES, [
    added.map(({ id }) => id),
    added.map(({ conversationId }) => conversationId),
    added.map(({ n }) => n),
    added.map(({ text }) => text),
    added.map(({ at }) => at),
    added.map(({ status }) => status),
  ]);
}

async function changeMessages(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  const moved = drafts
    .flatMap(({ messages }) => messages.filter(({ isNew, changed }) => changed && !isNew))
    .map(({ row }) => row);
  if (moved.length === 0) return;
  await run(client, 'change-messages', CHANGE_MESSAGES, [
    moved.map(({ id }) => id),
    moved.map(({ status }) => status),
    moved.map(({ text }) => text),
  ]);
}

async function handOut(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
  hubRun: HubRun,
): Promise<void> {
  const outbox = drafts.flatMap(({ outbox: messages, head }) =>
    messages.map((envelope) => ({ ...envelope, relayId: head.relayId })),
  );
  if (outbox.length === 0) return;
  await run(client, 'hand-out', HAND_OUT, [
    outbox.map(({ conversationId }) => conversationId),
    outbox.map(({ epoch }) => epoch),
    outbox.map(({ n }) => n),
    outbox.map(({ relayId }) => relayId),
    outbox.map(({ message }) => JSON.stringify(message)),
    hubRun,
  ]);
}

async function remember(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  const told = drafts.filter(
    ({ head, headBefore }) => headBefore.remembersN !== null && head.remembersN === null,
  );
  if (told.length === 0) return;
  await run(client, 'remember', REMEMBER, [told.map(({ head }) => head.conversationId)]);
}

async function supersede(
  client: pg.ClientBase,
  drafts: readonly ConversationDraft[],
): Promise<void> {
  const concerned = drafts.filter(({ superseded }) => superseded.length > 0);
  if (concerned.length === 0) return;
  await run(client, 'supersede', SUPERSEDE, [
    concerned.map(({ head }) => head.conversationId),
    concerned.flatMap(({ superseded }) => superseded),
  ]);
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

async function run(
  client: pg.ClientBase,
  ...[name, text, values]: [name: string, text: string, values: unknown[]]
): Promise<void> {
  await client.query({ name, text, values });
}
