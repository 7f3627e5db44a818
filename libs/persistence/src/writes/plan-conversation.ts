import { LIMITS, type Json, type MessageId } from '#contracts';
import { isUnconfirmed, type Deed, type Refusal, type Write } from '#domain';
import { cancelRequests, notFound } from './plan-cards.js';
import type { ConversationDraft } from './conversation-draft.js';
import type { MessageRow } from './stored-rows.js';

type WriteOf<K extends Write['kind']> = Extract<Write, { kind: K }>;

/** A conversation's first events, and its first messages to the relay. The row itself is made by the flush. */
export function planCreation(
  draft: ConversationDraft,
  { conversation, firstMessage, deed }: WriteOf<'create-conversation'>,
): Refusal | undefined {
  if (!draft.isNew || draft.head.lastEventN > 0) {
    return { code: 'DUPLICATE_MESSAGE', conversationId: draft.row.id };
  }
  const { provider, engine, model, folder, mode } = conversation;
  const { messageId, text } = firstMessage;
  const holder = draft.holderOf(messageId);
  if (holder !== undefined) return { code: 'DUPLICATE_MESSAGE', conversationId: holder };
  const optional = {
    ...(engine === undefined ? {} : { engine }),
    ...(model === undefined ? {} : { model }),
  };
  draft.log({
    kind: 'conversation-created',
    provider,
    ...(model === undefined ? {} : { model }),
    folder,
    mode,
    by: deed.by,
  });
  draft.send({
    kind: 'assign',
    session: { provider, ...optional, folder, mode, modeVersion: draft.row.modeVersion },
  });
  audit(draft, {
    deed,
    action: 'conversation-created',
    body: { ...optional, provider, folder, mode },
  });
  acceptMessage(draft, { messageId, text, deed });
  return undefined;
}

/** C17: into the queue, and out of it at once when nothing runs or waits. */
export function planMessage(
  draft: ConversationDraft,
  write: WriteOf<'accept-message'>,
): Refusal | undefined {
  const holder = draft.holderOf(write.messageId);
  if (holder !== undefined) {
    const same = draft.messages.find(({ row }) => row.id === write.messageId)?.row;
    const isOther = same !== undefined && same.text !== null && same.text !== write.text;
    if (isOther) return { code: 'INVALID', reason: 'messageId names a message with another text' };
    return { code: 'DUPLICATE_MESSAGE', conversationId: holder };
  }
  if (draft.row.queued >= LIMITS.queuedMessages) {
    return {
      code: 'QUEUE_FULL',
      reason: `${LIMITS.queuedMessages} messages wait already; cancel one or wait for the agent`,
    };
  }
  acceptMessage(draft, write);
  return undefined;
}

function acceptMessage(
  draft: ConversationDraft,
  message: { readonly messageId: MessageId; readonly text: string; readonly deed: Deed },
): void {
  const { messageId, text, deed } = message;
  draft.head.lastQueueN += 1;
  const row: MessageRow = {
    id: messageId,
    conversationId: draft.row.id,
    n: draft.head.lastQueueN,
    text,
    at: draft.now,
    status: 'queued',
  };
  draft.messages.push({ row, isNew: true, changed: true });
  draft.handOutNext({ personActs: true });
  draft.countQueue();
  const queued = draft.messages.some((one) => one.row === row && one.row.status === 'queued');
  draft.log({ kind: 'message-accepted', messageId, text, by: deed.by, queued });
  audit(draft, { deed, action: 'message-sent', body: { messageId, text } });
}

/**
 * C17: a message can be taken back until the agent has it. One that was handed out already is with its relay, or on its
 * way there: it is told to let go of whatever it was given before this.
 */
export function planCancellation(
  draft: ConversationDraft,
  { messageId, deed }: WriteOf<'cancel-message'>,
): Refusal | undefined {
  const message = draft.messages.find(({ row }) => row.id === messageId);
  if (message === undefined) return notFound('message');
  if (message.row.status === 'cancelled') return undefined;
  const isWithRelay = message.row.status === 'handed' && isStillToBegin(draft);
  if (message.row.status !== 'queued' && !isWithRelay) {
    return { code: 'ALREADY_PICKED_UP', reason: 'the agent has been given this message' };
  }
  if (isWithRelay) draft.send({ kind: 'interrupt' });
  message.row.status = 'cancelled';
  message.row.text = null;
  message.changed = true;
  draft.countQueue();
  draft.log({ kind: 'message-cancelled', messageId, by: deed.by });
  audit(draft, { deed, action: 'message-cancelled', body: { messageId } });
  return undefined;
}

/** Whether nothing of the turn that was handed out last has been heard yet, and nothing else would be ended with it. */
function isStillToBegin({ row, requests }: ConversationDraft): boolean {
  const waits = requests.some(({ now }) => now.status === 'open' || isUnconfirmed(now));
  return row.turn === 'due' && !waits;
}

/** Interrupts the turn. Where nothing runs or waits there is nothing to stop, and nothing happens. */
export function planStop(draft: ConversationDraft, { deed }: WriteOf<'stop'>): Refusal | undefined {
  const runs = draft.row.turn === 'running' || draft.row.turn === 'due';
  const cancelled = cancelRequests(draft, deed.by);
  if (!runs && !cancelled) return undefined;
  draft.log({ kind: 'stop-asked', by: deed.by });
  draft.send({ kind: 'interrupt' });
  audit(draft, { deed, action: 'turn-stopped', body: {} });
  return undefined;
}

/** D3: another title. */
export function planRename(
  draft: ConversationDraft,
  { title, deed }: WriteOf<'rename'>,
): Refusal | undefined {
  if (title === draft.row.title) return undefined;
  audit(draft, {
    deed,
    action: 'conversation-renamed',
    body: { from: draft.row.title, to: title },
  });
  draft.change({ title });
  draft.log({ kind: 'renamed', title, by: deed.by });
  return undefined;
}

/** D3: off the board, or back onto it. */
export function planArchive(
  draft: ConversationDraft,
  { archived, deed }: WriteOf<'archive'>,
): Refusal | undefined {
  if (archived === (draft.row.archivedAt !== null)) return undefined;
  draft.change({ archivedAt: archived ? draft.now : null });
  audit(draft, {
    deed,
    action: archived ? 'conversation-archived' : 'conversation-restored',
    body: {},
  });
  return undefined;
}

/** D3: gone from every page; what waits in it is cancelled, its agent ended. The rows stay for the audit. */
export function planDeletion(
  draft: ConversationDraft,
  { deed }: WriteOf<'delete'>,
): Refusal | undefined {
  cancelRequests(draft, deed.by);
  draft.change({ deletedAt: draft.now });
  draft.send({ kind: 'forget' });
  audit(draft, { deed, action: 'conversation-deleted', body: { title: draft.row.title } });
  return undefined;
}

function audit(
  draft: ConversationDraft,
  entry: { readonly deed: Deed; readonly action: string; readonly body: Json },
): void {
  const { deed, action, body } = entry;
  draft.audit.push({
    by: deed.by,
    action,
    conversationId: draft.row.id,
    body,
    ...(deed.signature === undefined ? {} : { signature: deed.signature }),
  });
}
