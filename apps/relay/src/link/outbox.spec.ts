import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ConversationId, type RelayEnvelope } from '#contracts';
import type { Journal } from '../journal/journal.js';
import { Outbox } from './outbox.js';

const ID = ConversationId.parse(randomUUID());
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A journal that has so many messages of an epoch, none of which the hub has. */
function journalOf(epoch: number, sent: number): Journal {
  const all = Array.from({ length: sent }, (_, at) => ({
    n: at + 1,
    message: { kind: 'process', state: 'live' },
    bytes: 10,
  }));
  return {
    state: { conversationId: ID, epoch, sent, acked: 0 },
    outgoing: (from: number) => Promise.resolve(all.filter(({ n }) => n >= from)),
  } as unknown as Journal;
}

function outboxOver(journal: Journal): {
  outbox: Outbox;
  sent: string[];
  become(next: Journal): void;
} {
  let now = journal;
  const sent: string[] = [];
  const outbox = new Outbox({
    journal: () => now,
    emit: (messages: RelayEnvelope[]) =>
      void sent.push(...messages.map(({ epoch, n }) => `${n} of ${epoch}`)),
    now: () => 0,
    failed: (error) => {
      throw error;
    },
  });
  outbox.open([ID]);
  return { outbox, sent, become: (next) => (now = next) };
}

describe('what a relay sends of a conversation that is assigned to it once more', () => {
  it('[link.2] begins with the first number, though the hub had not taken all of the epoch before', async () => {
    const { outbox, sent, become } = outboxOver(journalOf(1, 3));
    await turns();
    become(journalOf(2, 2));
    outbox.wake(ID);
    await turns();
    expect(sent).toEqual(['1 of 1', '2 of 1', '3 of 1', '1 of 2', '2 of 2']);
  });

  it('[link.2] is not held back by what was on its way of the epoch before', async () => {
    const { outbox, become } = outboxOver(journalOf(1, 3));
    await turns();
    become(journalOf(2, 1));
    outbox.wake(ID);
    await turns();
    outbox.acknowledged({ conversationId: ID, epoch: 2, n: 1 });
    expect(outbox.isDrained).toBe(true);
  });

  it('[link.2] is not taken for acknowledged by a late word about the epoch before', async () => {
    const { outbox, become } = outboxOver(journalOf(1, 3));
    await turns();
    become(journalOf(2, 2));
    outbox.wake(ID);
    await turns();
    outbox.acknowledged({ conversationId: ID, epoch: 1, n: 3 });
    expect(outbox.isDrained).toBe(false);
  });
});
