import { randomUUID } from 'node:crypto';
import { LIMITS, type Action, type Actor, type Card, type Json, type RelayMode } from '#contracts';
import { settle, standingLeave, type Deed, type Refusal, type Write } from '#domain';
import type { ConversationDraft, RequestDraft } from './conversation-draft.js';

type WriteOf<K extends Write['kind']> = Extract<Write, { kind: K }>;

/** M1: only onto the version that the person saw. */
export function planModeChange(
  draft: ConversationDraft,
  { mode, version, deed }: WriteOf<'change-mode'>,
): Refusal | undefined {
  if (version !== draft.row.modeVersion) {
    return { code: 'STALE_MODE', conversation: draft.conversation };
  }
  changeMode(draft, mode, deed);
  return undefined;
}

/** The relay is told before anything else that follows from the change. */
export function changeMode(draft: ConversationDraft, mode: RelayMode, deed: Deed): void {
  const from = draft.row.mode;
  const modeVersion = draft.row.modeVersion + 1;
  draft.change({ mode, modeVersion });
  draft.log({ kind: 'mode-changed', mode, version: modeVersion, by: deed.by });
  draft.send({ kind: 'set-mode', mode, modeVersion });
  audit(draft, deed, { action: 'mode-changed', body: { from, to: mode, version: modeVersion } });
}

/** M3, M6: an action that has leave already is let through at once; the transcript says by what. */
export function letThrough(draft: ConversationDraft, request: RequestDraft): void {
  const [card] = request.now.cards;
  if (card === undefined || request.now.cards.length > 1) return;
  const leave = standingLeave(card.body, draft.row);
  if (leave === undefined) return;
  allowOnce(draft, request, leave.by);
  audit(
    draft,
    { by: leave.by },
    {
      action: leave.from === 'grant' ? 'action-granted' : 'action-in-autopilot',
      cardId: card.id,
      body: { shown: card.body as unknown as Json },
    },
  );
}

function allowOnce(draft: ConversationDraft, request: RequestDraft, by: Actor): void {
  const [card] = request.now.cards;
  if (card === undefined) return;
  const decision = { kind: 'verdict', verdict: { kind: 'allow', scope: 'once' } } as const;
  const { id: cardId, version } = card;
  const decided = settle(request.now, { cardId, version, decision, by }, draft.clock);
  if (!decided.ok) return;
  draft.changeRequest(request, decided.request, 'answerable');
  draft.log({ kind: 'card-settled', card: decided.card });
  if (decided.closes) draft.closed(request);
}

/** M3: leave for the rest of the conversation; the oldest give way, which only means that they are asked about again. */
export function grantFor(draft: ConversationDraft, action: Action, deed: Deed): void {
  if (action.grantable === undefined) return;
  const grant = {
    id: randomUUID(),
    command: action.grantable,
    folder: action.folder,
    by: deed.by,
    at: draft.now,
  };
  draft.change({ grants: [...draft.row.grants, grant].slice(-LIMITS.grants) });
}

/** M3: takes back a leave; a second time does nothing. */
export function planGrantRevocation(
  draft: ConversationDraft,
  { grantId, deed }: WriteOf<'revoke-grant'>,
): Refusal | undefined {
  const grant = draft.row.grants.find(({ id }) => id === grantId);
  if (grant === undefined) return undefined;
  draft.change({ grants: draft.row.grants.filter(({ id }) => id !== grantId) });
  const { command, folder } = grant;
  audit(draft, deed, { action: 'grant-revoked', body: { command, folder } });
  return undefined;
}

function audit(
  draft: ConversationDraft,
  { by, signature }: Deed,
  entry: { readonly action: string; readonly cardId?: Card['id']; readonly body: Json },
): void {
  draft.audit.push({
    by,
    conversationId: draft.row.id,
    ...entry,
    ...(signature === undefined ? {} : { signature }),
  });
}
