import { afterEach, describe, expect, it } from '@jest/globals';
import { type ConversationId, ToolCallId } from '#contracts';
import { DriverFailure } from '#provider-kit';
import { journalOnDisk } from '../../../../test/support/relay/journal-on-disk.js';
import { PuppetDriver, type PuppetSession } from '../../../../test/support/relay/puppet-driver.js';
import {
  anAnswer,
  makeRelayStage,
  type RelayStage,
} from '../../../../test/support/relay/relay-stage.js';
import type { RelayLimits } from '../relay-limits.js';

const CALL = ToolCallId.parse('toolu_1');
let stage: RelayStage;
afterEach(() => stage.close());

/** An agent that was told something and asks. */
async function anAgentThatAsks(
  driver = new PuppetDriver(),
  limits: Partial<RelayLimits> = {},
): Promise<{ id: ConversationId; session: PuppetSession }> {
  stage = await makeRelayStage({ driver, limits });
  const id = stage.hub.assign();
  stage.hub.say(id, 'Hello');
  const session = await driver.session(0);
  session.beginTurn();
  session.ask(CALL, 'Go on?');
  await stage.hub.nth(id, 'ask');
  return { id, session };
}

const deliveries = (id: ConversationId): string[] =>
  stage.hub
    .all(id, 'answer-progress')
    .map(({ delivery, possibleRepeat }) => `${delivery}${possibleRepeat ? ', perhaps again' : ''}`);

const delivered = (id: ConversationId): Promise<void> =>
  stage.hub.until(() => deliveries(id).some((delivery) => delivery.startsWith('delivered')));

describe('an answer', () => {
  it('[C11] resumes an agent that died, as the first message, before anything queued', async () => {
    const { id, session } = await anAgentThatAsks();
    const { hub, driver } = stage;
    session.die();
    await hub.process(id, 'asleep');
    await hub.stop();
    const queued = hub.say(id, 'By the way');
    hub.give(id, anAnswer(CALL));
    await hub.start();
    const resumed = await driver.session(1);
    expect(resumed.start.resume).toBe(session.sessionRef);
    expect((await resumed.message(0)).text).toBe(
      'You were interrupted while a question of yours waited. Here is what became of it.\n\n' +
        'You asked: Go on?\nThe person answered: Yes\n\nGo on from there; do not ask it again.',
    );
    expect((await resumed.message(1)).messageId).toBe(queued);
    await delivered(id);
  });

  it('[C11] that was handed over when the relay died is given again where the client never took it', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    const give = anAnswer(CALL);
    stage.hub.give(id, give);
    await session.answered();
    stage.driver.taken.set(CALL, 'no');
    await stage.crash();
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toContain('Here is what became of it.');
    await delivered(id);
    expect(deliveries(id).at(-1)).toBe('delivered');
  });

  it('[link.4] that the client took before the relay died is not given a second time', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await session.answered();
    stage.driver.taken.set(CALL, 'yes');
    await stage.crash();
    await delivered(id);
    expect(stage.driver.sessions).toHaveLength(1);
  });

  it('[C11] of which nobody can tell whether it was taken is sent marked as a possible repeat', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await session.answered();
    stage.driver.taken.set(CALL, 'unknown');
    await stage.crash();
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toContain('You may have been told this before');
    await delivered(id);
    expect(deliveries(id).at(-1)).toBe('delivered, perhaps again');
  });

  it('[link.4] that went as a message is looked for by its own id after a crash', async () => {
    const { id, session } = await anAgentThatAsks();
    const { hub, driver } = stage;
    session.die();
    await hub.process(id, 'asleep');
    const give = anAnswer(CALL);
    let release = (): void => undefined;
    driver.gate = new Promise((resolve) => (release = resolve));
    hub.give(id, give);
    release();
    const resumed = await driver.session(1);
    resumed.prompt = false;
    await resumed.message(0);
    driver.sent.set(give.requestId, 'yes');
    await stage.crash();
    await delivered(id);
    expect(driver.sessions).toHaveLength(2);
  });

  it('[C11] is superseded by a stop, and then resumes nothing', async () => {
    const { id, session } = await anAgentThatAsks();
    const { hub, driver } = stage;
    session.die();
    await hub.process(id, 'asleep');
    await hub.stop();
    hub.give(id, anAnswer(CALL));
    hub.give(id, { kind: 'interrupt' });
    let release = (): void => undefined;
    driver.gate = new Promise((resolve) => (release = resolve));
    await hub.start();
    await hub.nth(id, 'answer-progress');
    release();
    await hub.until(() => hub.hasAllAcknowledged(id));
    expect(deliveries(id)).toEqual(['superseded']);
    expect(driver.sessions.flatMap(({ messages }) => messages)).toHaveLength(1);
  });

  it('[C11] that came before a stop is not given by a later life of the relay either', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await session.answered();
    stage.hub.give(id, { kind: 'interrupt' });
    await stage.hub.until(() => deliveries(id).includes('superseded'));
    stage.driver.taken.set(CALL, 'no');
    await stage.crash();
    await stage.hub.nth(id, 'snapshot');
    stage.hub.say(id, 'Next');
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toBe('Next');
    expect(deliveries(id).filter((delivery) => delivery !== 'handed')).toEqual(['superseded']);
  });

  it('[C8] that nobody gave is told to a resumed agent as exactly that', async () => {
    const { id, session } = await anAgentThatAsks();
    session.die();
    await stage.hub.process(id, 'asleep');
    stage.hub.give(id, anAnswer(CALL, 'expired'));
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toContain('Nobody answered: no one was there');
  });

  it('[C9] is called sent, and no more, where the client gives no evidence', async () => {
    const { id, session } = await anAgentThatAsks(new PuppetDriver({ evidence: 'none' }));
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await stage.hub.nth(id, 'answer-progress');
    expect(deliveries(id)).toEqual(['sent']);
  });

  it('[C12] is given once more to a call that comes again before it was taken', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    const give = anAnswer(CALL);
    stage.hub.give(id, give);
    await session.answered();
    session.ask(CALL, 'Go on?');
    expect(await session.answered(1)).toEqual(give);
    expect(stage.hub.all(id, 'ask')).toHaveLength(1);
  });

  it.each([
    ['before the client says so', queueMicrotask, undefined],
    ['as the client says so', setImmediate, undefined],
    ['once the message is sent', undefined, 'sent'],
  ] as const)('[C11] goes as one message where the call is given up %s', async (_, soon, late) => {
    const { id, session } = await anAgentThatAsks();
    const give = anAnswer(CALL);
    let calls = 0;
    session.answer = () => {
      calls += 1;
      if (calls === 1) soon?.(() => session.sink.withdrawn(CALL));
      return Promise.resolve('not-waiting');
    };
    session.prompt = false;
    stage.hub.give(id, give);
    await session.message(1);
    if (late !== undefined) session.sink.withdrawn(CALL);
    const next = stage.hub.say(id, 'Next');
    await session.message(2);
    expect(session.messages.map(({ messageId }) => messageId).slice(1)).toEqual([
      give.requestId,
      next,
    ]);
  });

  it('[C11] is tried again for as long as the agent can not be started', async () => {
    const driver = new PuppetDriver();
    const { id, session } = await anAgentThatAsks(driver, { retryMs: [1] });
    session.die();
    await stage.hub.process(id, 'asleep');
    const failure = new DriverFailure({ code: 'no-network', message: 'There is no network.' });
    driver.startFailures.push(...Array.from({ length: 8 }, () => failure));
    stage.hub.give(id, anAnswer(CALL));
    await delivered(id);
    expect(driver.startFailures).toEqual([]);
  });

  it('[link.4] is handed to no client before the attempt is on the disk', async () => {
    const { id, session } = await anAgentThatAsks();
    const onDisk = new Promise<string>((resolve) => {
      session.answer = (result) => {
        resolve(journalOnDisk(stage.home, id));
        session.sink.taken(result.toolCallId);
        return Promise.resolve('handed');
      };
    });
    stage.hub.give(id, anAnswer(CALL));
    expect(await onDisk).toContain('"attempt":{"way":"tool"');
  });

  it('[C11] goes as a message where the client waits in the call no more', async () => {
    const { id, session } = await anAgentThatAsks();
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await session.answered();
    session.sink.withdrawn(CALL);
    expect((await session.message(1)).text).toContain('You asked: Go on?');
  });
});

describe('a question', () => {
  it('[C9] stays open, detached, when its process dies and can be resumed', async () => {
    const { id, session } = await anAgentThatAsks();
    session.die();
    await stage.hub.process(id, 'asleep');
    expect(stage.hub.all(id, 'request-ended')).toEqual([]);
    const ended = stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);
    expect(ended.at(-1)).toMatchObject({ kind: 'turn-ended', outcome: 'interrupted' });
  });

  it('[C9] is lost when its process dies and can not be resumed', async () => {
    const { id, session } = await anAgentThatAsks(new PuppetDriver({ resume: false }));
    session.die();
    await stage.hub.process(id, 'gone');
    expect(stage.hub.all(id, 'request-ended')).toEqual([
      { kind: 'request-ended', toolCallId: CALL, outcome: 'lost' },
    ]);
  });

  it('[C9] is cancelled when the client withdraws it', async () => {
    const { id, session } = await anAgentThatAsks();
    session.sink.withdrawn(CALL);
    expect(await stage.hub.nth(id, 'request-ended')).toMatchObject({ outcome: 'cancelled' });
  });

  it('[C9] is not cancelled when the relay is stopped in order', async () => {
    const { id } = await anAgentThatAsks();
    await stage.restart();
    await stage.hub.nth(id, 'snapshot');
    expect(stage.hub.all(id, 'request-ended')).toEqual([]);
    expect(stage.hub.all(id, 'snapshot').at(-1)).toMatchObject({
      process: 'asleep',
      requests: [{ toolCallId: CALL, state: 'detached' }],
    });
  });

  it('[C12] that comes twice is asked once', async () => {
    const { id, session } = await anAgentThatAsks();
    session.ask(CALL, 'Go on?');
    session.ask(ToolCallId.parse('toolu_2'), 'And then?');
    await stage.hub.nth(id, 'ask', 1);
    expect(stage.hub.all(id, 'ask').map(({ toolCallId }) => toolCallId)).toEqual([CALL, 'toolu_2']);
  });
});
