import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { said, useLinkedHub } from '../support/linked-hub.js';

const linked = useLinkedHub();

describe('the places of both ends', () => {
  it('[link.1] nothing is sent before the relay has told all of its places', async () => {
    const relay = linked.hub.relay;
    relay.close();
    const late = { messageId: randomUUID(), text: 'While you were away' };
    await linked.phone.post(`/api/conversations/${linked.conversation.id}/stop`);
    await linked.phone.post(`/api/conversations/${linked.conversation.id}/messages`, late);
    relay.heard.clear();
    relay.tellsInPages = true;
    const first = await relay.attach(linked.hub.url);
    const heardBefore = relay.heard.all.length;
    const pages = await relay.tellPlaces();
    relay.tellsInPages = false;
    await relay.hear(linked.conversation.id, 'interrupt');
    const told = [first, ...pages].flatMap(({ conversations }) => conversations);
    expect(heardBefore).toBe(0);
    expect(told).toContainEqual(
      expect.objectContaining({ conversationId: linked.conversation.id, stale: false }),
    );
  });

  it('[link.2] an assignment that began anew takes the place of the one before, from its first number', async () => {
    const { owner } = linked.database;
    linked.hub.relay.close();
    await owner.query(
      `update conversation_head set epoch = 2, sent_n = 1, received_n = 0 where conversation_id = $1`,
      [linked.conversation.id],
    );
    await owner.query(
      `insert into outbox (conversation_id, epoch, n, relay_id, message)
       values ($1, 2, 1, $2, '{"kind": "interrupt"}')`,
      [linked.conversation.id, linked.hub.relay.id],
    );
    linked.hub.relay.heard.clear();

    const { conversations } = await linked.hub.relay.attach(linked.hub.url);
    await linked.hub.relay.hear(linked.conversation.id, 'interrupt');

    const mine = conversations.filter((one) => one.conversationId === linked.conversation.id);
    expect(mine).toEqual([
      expect.objectContaining({ epoch: 1, stale: true }),
      expect.objectContaining({ epoch: 2, sent: 1, received: 0, stale: false }),
    ]);
    expect(linked.hub.relay.heard.all).toMatchObject([{ epoch: 2, n: 1 }]);
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('of the new epoch'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['of the new epoch']);
  });
});
