import { afterEach, describe, expect, it } from '@jest/globals';
import { ToolCallId } from '#contracts';
import {
  anAnswer,
  makeRelayStage,
  type RelayStage,
} from '../../../test/support/relay/relay-stage.js';

const CALL = ToolCallId.parse('toolu_1');
let stage: RelayStage;

afterEach(() => stage.close());

describe('a relay on the link', () => {
  it('[link.1] hands a message to a new agent and tells the hub that it was picked up', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    const messageId = hub.say(id, 'Hello');
    const session = await driver.session(0);
    expect(await session.message(0)).toEqual({ messageId, text: 'Hello' });
    expect(await hub.nth(id, 'message-picked-up')).toMatchObject({ messageId });
    await hub.until(() => hub.hasAllAcknowledged(id));
  });

  it('[C11] gives an answer to the client that waits and calls it delivered by its evidence', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.ask(CALL, 'Go on?');
    await hub.nth(id, 'ask');
    const give = anAnswer(CALL);
    hub.give(id, give);
    expect(await session.answered()).toEqual(give);
    await hub.nth(id, 'answer-progress', 1);
    expect(hub.all(id, 'answer-progress').map(({ delivery }) => delivery)).toEqual([
      'handed',
      'delivered',
    ]);
  });
});
