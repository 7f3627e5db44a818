import type { ConversationRecords } from '../records/records.js';
import { messagesTaken } from './handings.js';

/** Every message of a person's reaches the client once, in the order of the queue, unless it was taken back or stopped. */
export function wrongMessages(of: ConversationRecords): string[] {
  const { events, messages } = of.database;
  const accepted = new Map(
    events.flatMap(({ body }, at) =>
      body.kind === 'message-accepted' ? [[body.messageId, at]] : [],
    ),
  );
  const wasStopped = (after: number): boolean =>
    events.some(({ body }, at) => at > after && body.kind === 'stop-asked');
  return [
    ...messages.flatMap(({ id, status }) => {
      const taken = messagesTaken(of, id);
      const unmarked = taken.filter(({ marked }) => !marked).length;
      if (unmarked > 1) return [`message ${id} was given ${unmarked} times`];
      if (status === 'cancelled')
        return taken.length > 0 ? [`message ${id} was taken back and given`] : [];
      if (status === 'picked-up')
        return taken.length === 0 ? [`message ${id} was never taken`] : [];
      const mayBeDropped = status === 'handed' && wasStopped(accepted.get(id) ?? Infinity);
      return mayBeDropped ? [] : [`message ${id} is still ${status}`];
    }),
    ...outOfOrder(of),
  ];
}

function outOfOrder(of: ConversationRecords): string[] {
  const firsts = of.database.messages
    .map(({ id, n }) => ({ id, n, at: messagesTaken(of, id)[0]?.at }))
    .filter((message) => message.at !== undefined);
  return firsts.flatMap(({ id, at }, place) => {
    const before = firsts[place - 1];
    return before !== undefined && (before.at ?? 0) > (at ?? 0)
      ? [`message ${id} came before ${before.id}, which was sent earlier`]
      : [];
  });
}
