import { afterEach, describe, expect, it } from '@jest/globals';
import { ToolCallId } from '#contracts';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';
import { anAnswer } from '../../../../test/support/relay/relay-stage.js';

let stage: RelayStage;
afterEach(() => stage.close());

/** The API key that the nth opening of the driver got. */
const keyOf = (nth: number): string | undefined => stage.driver.hosts[nth]?.settings['apiKey'];

describe("a change of a provider's settings", () => {
  it('[P15] reaches a conversation that failed for the lack of them with its next message', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const first = await driver.session(0);
    const turnId = first.beginTurn();
    first.sink.event({
      kind: 'turn-ended',
      turnId,
      outcome: 'failed',
      failure: { code: 'authentication', message: 'There is no key.' },
    });
    await hub.nth(id, 'message-picked-up');
    await hub.configure({ apiKey: 'sesame' });
    await first.closed();
    hub.say(id, 'Try again');
    const second = await driver.session(1);
    expect((await second.message(0)).text).toBe('Try again');
    expect([keyOf(0), keyOf(1)]).toEqual([undefined, 'sesame']);
    expect(second.start.resume).toBe(first.sessionRef);
  });

  it('[P15] interrupts no turn: the agent begins anew once it is over', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    const turnId = session.beginTurn();
    const call = ToolCallId.parse('toolu_1');
    session.ask(call, 'Go on?');
    await hub.nth(id, 'ask');
    await hub.configure({ apiKey: 'sesame' });
    hub.give(id, anAnswer(call));
    await session.answered();
    await hub.nth(id, 'answer-progress', 1);
    expect(session.closes).toBe(0);
    session.endTurn(turnId);
    await session.closed();
  });

  it('[P15] starts no second agent beside the one that is still ending', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const first = await driver.session(0);
    await hub.nth(id, 'message-picked-up');
    let end: () => void = () => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const close = first.close.bind(first);
    first.close = async () => {
      await ending;
      await close();
    };
    await hub.configure({ apiKey: 'sesame' });
    hub.say(id, 'Again');
    // What was said later in another conversation has reached its agent by now.
    const other = hub.assign();
    hub.say(other, 'Hello');
    await hub.nth(other, 'message-picked-up');
    const begun = driver.sessions.map(({ start }) => start.proposedRef);
    expect(begun.filter((ref) => ref === first.start.proposedRef)).toHaveLength(1);
    end();
    const second = await driver.session(2);
    expect((await second.message(0)).text).toBe('Again');
    expect(second.closes).toBe(0);
  });
});
