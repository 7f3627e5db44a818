import type { ConversationId, RequestId } from '#contracts';
import type { Refusal, Write, WriteResult } from '#domain';
import type { ConversationDraft } from './conversation-draft.js';
import { notFound, planExpiry, planExtension, planSettlement } from './plan-cards.js';
import {
  planArchive,
  planCancellation,
  planCreation,
  planDeletion,
  planMessage,
  planRename,
  planStop,
} from './plan-conversation.js';
import { planIntake } from './plan-intake.js';
import { planGrantRevocation, planModeChange } from './plan-mode.js';

/** What goes through the batcher: the port's writes, and the sweep of deadlines. */
export type PlannedWrite =
  | Write
  | {
      readonly kind: 'expire';
      readonly conversationId: ConversationId;
      readonly requestId: RequestId;
    };

type WriteOf<K extends PlannedWrite['kind']> = Extract<PlannedWrite, { kind: K }>;

/** Every plan checks all that can refuse the write before it changes the draft. */
const PLANS: {
  [K in PlannedWrite['kind']]: (draft: ConversationDraft, write: WriteOf<K>) => Refusal | undefined;
} = {
  'create-conversation': planCreation,
  intake: planIntake,
  'settle-card': planSettlement,
  'accept-message': planMessage,
  'cancel-message': planCancellation,
  stop: planStop,
  'change-mode': planModeChange,
  'revoke-grant': planGrantRevocation,
  rename: planRename,
  archive: planArchive,
  delete: planDeletion,
  'extend-deadline': planExtension,
  expire: (draft, { requestId }) => planExpiry(draft, requestId),
};

/** Which conversation a write is about. */
export function conversationOfWrite(write: PlannedWrite): ConversationId {
  if (write.kind === 'create-conversation') return write.conversation.id;
  return write.kind === 'intake' ? write.fence.conversationId : write.conversationId;
}

/** Plans one write on its conversation's draft, or says why it is refused. */
export function planWrite(draft: ConversationDraft | undefined, write: PlannedWrite): WriteResult {
  // A relay's messages go on being acknowledged after the deletion; nothing else finds the conversation.
  const gone = draft === undefined || (draft.row.deletedAt !== null && write.kind !== 'intake');
  if (gone) return { ok: false, refusal: notFound('conversation') };
  const plan = PLANS[write.kind] as (
    on: ConversationDraft,
    of: PlannedWrite,
  ) => Refusal | undefined;
  const refusal = plan(draft, write);
  return refusal === undefined ? { ok: true, committed: draft.commit() } : { ok: false, refusal };
}
