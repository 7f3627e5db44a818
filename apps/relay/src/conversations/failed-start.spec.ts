import { afterEach, describe, expect, it } from '@jest/globals';
import type { AgentEvent, ConversationId } from '#contracts';
import { DriverFailure } from '#provider-kit';
import { PuppetDriver } from '../../../../test/support/relay/puppet-driver.js';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';

let stage: RelayStage;
afterEach(() => stage.close());

const eventsOf = (id: ConversationId): AgentEvent[] =>
  stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);

const ended = (id: ConversationId, count = 1): Promise<void> =>
  stage.hub.until(() => eventsOf(id).filter(({ kind }) => kind === 'turn-ended').length >= count);

describe('a start that fails', () => {
  it('[P15] fails the turn with the driver’s words, and the message waits for the next try', async () => {
    const driver = new PuppetDriver();
    const failure = {
      code: 'client-missing',
      message: 'There is no client.',
      advice: 'Install it.',
    };
    driver.startFailures.push(new DriverFailure(failure));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const id = hub.assign();
    hub.say(id, 'One');
    await ended(id);
    expect(eventsOf(id).at(-1)).toMatchObject({ outcome: 'failed', failure });
    hub.say(id, 'Two');
    const session = await driver.session(0);
    expect([(await session.message(0)).text, (await session.message(1)).text]).toEqual([
      'One',
      'Two',
    ]);
  });

  it('[P15] because a driver throws anything at all breaks no other conversation', async () => {
    const driver = new PuppetDriver();
    driver.startFailures.push(new TypeError('undefined is not a function'));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const [broken, sound] = [hub.assign(), hub.assign()];
    hub.say(broken, 'Hello');
    await ended(broken);
    hub.say(sound, 'Hello');
    await hub.nth(sound, 'message-picked-up');
    expect(eventsOf(broken).at(-1)).toMatchObject({
      outcome: 'failed',
      failure: { code: 'driver-fault' },
    });
  });

  it('[P15] because a client hangs is ended, and keeps no other from starting', async () => {
    const driver = new PuppetDriver();
    driver.gate = new Promise(() => undefined);
    stage = await makeRelayStage({ driver, limits: { startMs: 1, startsAtOnce: 1 } });
    const { hub } = stage;
    const [hangs, sound] = [hub.assign(), hub.assign()];
    hub.say(hangs, 'Hello');
    await ended(hangs);
    expect(eventsOf(hangs).at(-1)).toMatchObject({ failure: { code: 'start-hangs' } });
    driver.gate = undefined;
    hub.say(sound, 'Hello');
    await hub.nth(sound, 'message-picked-up');
  });

  it('[C9] because the process dies while it starts leaves no turn open', async () => {
    const driver = new PuppetDriver();
    driver.atStart = (session) => {
      session.beginTurn();
      session.die();
    };
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    await ended(id, 2);
    expect(eventsOf(id).map((event) => ('outcome' in event ? event.outcome : event.kind))).toEqual([
      'turn-started',
      'interrupted',
      'turn-started',
      'failed',
    ]);
    driver.atStart = () => undefined;
    hub.say(id, 'Again');
    await hub.nth(id, 'message-picked-up', 1);
  });

  it('[C11] is tried again by itself, said once, and given up for the time being in the end', async () => {
    const driver = new PuppetDriver();
    const failure = new DriverFailure({ code: 'no-network', message: 'There is no network.' });
    driver.startFailures.push(failure, failure, failure);
    stage = await makeRelayStage({ driver, limits: { retryMs: [1, 1, 1] } });
    const { hub } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    await driver.session(0);
    await hub.nth(id, 'message-picked-up');
    expect(eventsOf(id).filter(({ kind }) => kind === 'turn-ended')).toHaveLength(1);
  });

  describe('for a reason that only a person mends', () => {
    const failure = {
      code: 'folder-missing',
      message: 'The folder /gone does not exist.',
      advice: 'Make it again.',
    };

    it('[P15] stays failed, whatever else changes, and begins by itself neither soon nor later', async () => {
      const driver = new PuppetDriver();
      driver.startFailures.push(new DriverFailure(failure));
      stage = await makeRelayStage({ driver, limits: { retryMs: [1, 1, 1] } });
      const { hub } = stage;
      const id = hub.assign();
      hub.say(id, 'One');
      await ended(id);
      await hub.configure({ apiKey: 'sesame' });
      await stage.restart();
      const other = hub.assign();
      hub.say(other, 'Hello');
      await hub.nth(other, 'message-picked-up');
      expect(eventsOf(id).filter(({ kind }) => kind === 'turn-ended')).toHaveLength(1);
      expect(hub.all(id, 'message-picked-up')).toEqual([]);
    });

    it('[P15] is tried again when the person says so, and the message goes once', async () => {
      const driver = new PuppetDriver();
      driver.startFailures.push(new DriverFailure(failure));
      stage = await makeRelayStage({ driver });
      const { hub } = stage;
      const id = hub.assign();
      hub.say(id, 'One');
      await ended(id);
      hub.give(id, { kind: 'try-again' });
      const session = await driver.session(0);
      await hub.nth(id, 'message-picked-up');
      expect(session.messages.map(({ text }) => text)).toEqual(['One']);
    });

    it('[P15] is told anew where it fails again', async () => {
      const driver = new PuppetDriver();
      driver.startFailures.push(new DriverFailure(failure), new DriverFailure(failure));
      stage = await makeRelayStage({ driver });
      const { hub } = stage;
      const id = hub.assign();
      hub.say(id, 'One');
      await ended(id);
      hub.give(id, { kind: 'try-again' });
      await ended(id, 2);
    });
  });
});
