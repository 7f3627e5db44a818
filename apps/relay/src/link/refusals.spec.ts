import { afterEach, describe, expect, it } from '@jest/globals';
import type { ConversationId, RelayMessage } from '#contracts';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';

let stage: RelayStage;
afterEach(() => stage.close());

const isPoison = (message: RelayMessage): boolean => JSON.stringify(message).includes('poison');

/** A conversation whose agent has just said something that the hub refuses. */
async function aRefusal(refuses: (message: RelayMessage) => boolean): Promise<ConversationId> {
  const id = stage.hub.assign();
  stage.hub.say(id, 'Hello');
  const session = await stage.driver.session(0);
  const turnId = session.beginTurn();
  await stage.hub.nth(id, 'message-picked-up');
  stage.hub.refuses = refuses;
  session.sink.event({ kind: 'text', turnId, blockId: 'b', text: 'poison' });
  return id;
}

describe('what the hub refuses for good', () => {
  it('[link.6] leaves a reason that can be stored, whatever the hub gave as one', async () => {
    stage = await makeRelayStage();
    stage.hub.refusal = 'not \u0000 and \ud800';
    const id = await aRefusal(isPoison);
    expect((await stage.hub.nth(id, 'tombstone')).reason).toBe('not ␀ and �');
  });

  it('[link.6] leaves a fixed text where its tombstone is refused too', async () => {
    stage = await makeRelayStage();
    stage.hub.refusal = 'poison all the same';
    const id = await aRefusal(isPoison);
    expect(await stage.hub.nth(id, 'tombstone')).toEqual({
      kind: 'tombstone',
      what: 'agent-events',
      reason: 'The hub refused a message, and the reason that it gave for that as well.',
    });
  });

  it('[link.6] is not sent again for ever, and keeps no other conversation waiting', async () => {
    stage = await makeRelayStage();
    let refusals = 0;
    const id = await aRefusal((message) => {
      const refuses = isPoison(message) || message.kind === 'tombstone';
      if (refuses) refusals += 1;
      return refuses;
    });
    await stage.hub.until(() => refusals === 3);
    const other = stage.hub.assign();
    stage.hub.say(other, 'Hello');
    const session = await stage.driver.session(1);
    for (let turns = 0; turns < 20; turns += 1) {
      session.endTurn(session.beginTurn());
      await stage.hub.nth(other, 'agent-events', turns);
    }
    expect([refusals, stage.hub.all(id, 'tombstone')]).toEqual([3, []]);
  });
});
