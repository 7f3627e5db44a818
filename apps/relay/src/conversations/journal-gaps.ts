import type { HubCursor } from '#contracts';
import type { Journal } from '../journal/journal.js';
import type { ConversationHost } from './conversation-host.js';
import { JOURNAL_DAMAGED } from './process-words.js';

type GapHost = Pick<ConversationHost, 'log' | 'written'>;

/**
 * Brings a journal to where the hub is, so that nothing is waited for that neither of them has. Says whether
 * something of it is damaged or lost, which a person is to be told ({@link tellDamage}).
 */
export function meetsHub(journal: Journal, cursor: HubCursor, host: GapHost): boolean {
  const { received, firstKept = 0 } = cursor;
  const { state } = journal;
  const lacksOwn = received > state.sent;
  // The hub's database was put back (link rule 10): what it lost is sent again.
  if (received < state.acked) journal.rewind(received);
  if (lacksOwn) overtaken(journal, received, host);
  else journal.acknowledged(received);
  const missed = firstKept > state.received + 1 ? journal.skip(firstKept - 1) : 0;
  return missed > 0 || lacksOwn || state.damaged !== undefined;
}

/** The hub has more of this relay's own messages than the relay knows of. */
export function overtaken(journal: Journal, n: number, host: GapHost): void {
  const { conversationId, epoch, sent } = journal.state;
  host.log.error({ conversation: conversationId, epoch, sent, hub: n }, 'journal behind the hub');
  void journal.overtaken(n).then(() => host.written(conversationId));
}

/** Tells in the conversation that something of its journal is damaged or lost. */
export function tellDamage(journal: Journal, host: GapHost): void {
  const { conversationId } = journal.state;
  const notice = { kind: 'notice', severity: 'warning', ...JOURNAL_DAMAGED, params: {} } as const;
  const { written } = journal.send({ kind: 'agent-events', events: [notice] });
  journal.damageTold();
  void written.then(() => host.written(conversationId));
}
