import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ToolCallId, type AgentEvent, type ConversationId } from '#contracts';
import { PuppetDriver } from '../../../../test/support/relay/puppet-driver.js';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';

const CALL = ToolCallId.parse('toolu_1');
let stage: RelayStage;
afterEach(() => stage.close());

const eventsOf = (id: ConversationId): AgentEvent[] =>
  stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);

const ended = (id: ConversationId, count = 1): Promise<void> =>
  stage.hub.until(() => eventsOf(id).filter(({ kind }) => kind === 'turn-ended').length >= count);

describe("an agent's process", () => {
  it('[C9] that dies in the middle of a turn ends it as failed, in plain words', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    const turnId = session.beginTurn();
    session.die();
    await ended(id);
    expect(eventsOf(id).at(-1)).toEqual({
      kind: 'turn-ended',
      turnId,
      outcome: 'failed',
      failure: {
        code: 'process-ended',
        message: "The agent's process ended unexpectedly.",
        advice: 'Send a message to resume it.',
      },
    });
    await hub.process(id, 'asleep');
  });

  it('[C17] is never put to sleep while a card is open', async () => {
    stage = await makeRelayStage({ limits: { idleMs: 1 } });
    const { hub, driver } = stage;
    const asking = hub.assign();
    hub.say(asking, 'Ask me');
    const asks = await driver.session(0);
    const turn = asks.beginTurn();
    asks.ask(CALL, 'Go on?');
    asks.endTurn(turn);
    const quiet = hub.assign();
    hub.say(quiet, 'Say nothing');
    const rests = await driver.session(1);
    rests.endTurn(rests.beginTurn());
    // The one that has nothing to wait for shows that the time has passed.
    await hub.process(quiet, 'asleep');
    expect(asks.closes).toBe(0);
  });

  it('[relay] that was put to sleep is resumed by the next message', async () => {
    stage = await makeRelayStage({ limits: { idleMs: 1 } });
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'One');
    const first = await driver.session(0);
    first.endTurn(first.beginTurn());
    await hub.process(id, 'asleep');
    hub.say(id, 'Two');
    const second = await driver.session(1);
    expect(second.start.resume).toBe(first.sessionRef);
    expect((await second.message(0)).text).toBe('Two');
  });

  it('[relay] starts with at most one other at the same time', async () => {
    const driver = new PuppetDriver();
    let release = (): void => undefined;
    driver.gate = new Promise((resolve) => (release = resolve));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const ids = Array.from({ length: 6 }, () => hub.assign());
    for (const id of ids) hub.say(id, 'Hello');
    await hub.until(() => ids.every((id) => hub.hasAllAcknowledged(id)));
    release();
    await driver.session(5);
    expect(driver.mostStarting).toBe(2);
  });

  it('[M6] is told of a change of its mode, which is acknowledged then', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    hub.give(id, { kind: 'set-mode', mode: 'plan', modeVersion: 2 });
    expect(await hub.nth(id, 'mode-acknowledged', 1)).toMatchObject({ version: 2 });
    expect(session.modes).toEqual(['plan']);
  });

  it('[M6] has the mode that it was assigned with acknowledged before it runs', async () => {
    stage = await makeRelayStage();
    const { hub } = stage;
    const id = hub.assign();
    expect(await hub.nth(id, 'mode-acknowledged')).toMatchObject({ version: 1 });
  });

  it('[M6] that does not run has its mode from its start on', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.give(id, { kind: 'set-mode', mode: 'ask', modeVersion: 2 });
    await hub.nth(id, 'mode-acknowledged', 1);
    hub.say(id, 'Hello');
    expect((await driver.session(0)).start.mode).toBe('ask');
  });

  it('[M6] that is coming up has a change of its mode in force before it is acknowledged', async () => {
    const driver = new PuppetDriver();
    let release = (): void => undefined;
    driver.gate = new Promise((resolve) => (release = resolve));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const id = hub.assign();
    let acknowledgedBefore: number | undefined;
    driver.atStart = (session) => {
      session.setMode = (mode) => {
        session.modes.push(mode);
        acknowledgedBefore = hub.all(id, 'mode-acknowledged').length;
        return Promise.resolve();
      };
    };
    hub.say(id, 'Hello');
    await hub.process(id, 'starting');
    hub.give(id, { kind: 'set-mode', mode: 'plan', modeVersion: 2 });
    await hub.until(() => hub.hasAllAcknowledged(id));
    release();
    expect(await hub.nth(id, 'mode-acknowledged', 1)).toMatchObject({ version: 2 });
    const session = await driver.session(0);
    expect([session.start.mode, session.modes, acknowledgedBefore]).toEqual([
      'autopilot',
      ['plan'],
      1,
    ]);
    await session.message(0);
  });

  it('[M6] whose client is being installed starts in the mode that was set meanwhile', async () => {
    const driver = new PuppetDriver();
    const open = driver.open.bind(driver);
    let release = (): void => undefined;
    const installed = new Promise<void>((resolve) => (release = resolve));
    driver.open = (host) => installed.then(() => open(host));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    hub.give(id, { kind: 'set-mode', mode: 'ask', modeVersion: 2 });
    await hub.until(() => hub.hasAllAcknowledged(id));
    release();
    expect((await driver.session(0)).start.mode).toBe('ask');
    expect(await hub.nth(id, 'mode-acknowledged', 1)).toMatchObject({ version: 2 });
  });
});

describe('a stop', () => {
  it('[C9] interrupts the turn and cancels what is open in it', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.beginTurn();
    session.ask(CALL, 'Go on?');
    await hub.nth(id, 'ask');
    hub.give(id, { kind: 'interrupt' });
    await session.interrupted();
    expect(await hub.nth(id, 'request-ended')).toMatchObject({ outcome: 'cancelled' });
  });

  it('[C9] that comes before the agent got a message keeps it from the agent, and says so', async () => {
    const driver = new PuppetDriver();
    let release = (): void => undefined;
    driver.gate = new Promise((resolve) => (release = resolve));
    stage = await makeRelayStage({ driver });
    const { hub } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    await hub.process(id, 'starting');
    hub.give(id, { kind: 'interrupt' });
    await ended(id);
    release();
    await hub.process(id, 'live');
    expect((await driver.session(0)).messages).toEqual([]);
    expect(
      eventsOf(id).map((event) => (event.kind === 'notice' ? event.code : event.kind)),
    ).toEqual(['message-not-sent', 'turn-started', 'turn-ended']);
  });

  it('[C9] that a client does not heed ends its process', async () => {
    stage = await makeRelayStage({ limits: { interruptMs: 1 } });
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.beginTurn();
    await hub.nth(id, 'agent-events');
    session.interrupt = () => new Promise(() => undefined);
    hub.give(id, { kind: 'interrupt' });
    await hub.process(id, 'asleep');
    expect(session.closes).toBe(1);
    expect(eventsOf(id).at(-1)).toMatchObject({ kind: 'turn-ended', outcome: 'interrupted' });
  });
});

describe('a relay that starts again', () => {
  it('[C9] ends turns that ran as interrupted, with a notice, and marks their questions detached', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.beginTurn();
    session.ask(CALL, 'Go on?');
    await hub.nth(id, 'ask');
    await stage.crash();
    await hub.nth(id, 'snapshot');
    expect(hub.all(id, 'snapshot').at(-1)).toMatchObject({
      process: 'asleep',
      requests: [{ toolCallId: CALL, state: 'detached' }],
    });
    expect(
      eventsOf(id).map((event) => (event.kind === 'notice' ? event.code : event.kind)),
    ).toEqual(['turn-started', 'relay-restarted', 'turn-ended']);
  });

  it('[link.4] sends a message again that the client never got, and not one that it has', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const [got, lost] = [hub.assign(), hub.assign()];
    const has = hub.say(got, 'Got');
    const one = await driver.session(0);
    one.prompt = false;
    await one.message(0);
    const hasNot = hub.say(lost, 'Lost');
    const other = await driver.session(1);
    other.prompt = false;
    await other.message(0);
    driver.sent.set(has, 'yes').set(hasNot, 'no');
    await stage.crash();
    const resumed = await driver.session(2);
    expect((await resumed.message(0)).messageId).toBe(hasNot);
    await hub.nth(got, 'message-picked-up');
    expect(driver.sessions).toHaveLength(3);
  });

  it('[link.2] forgets a conversation that was deleted, with its journal', async () => {
    stage = await makeRelayStage();
    const { hub, driver, home } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    hub.give(id, { kind: 'forget' });
    await hub.until(() => hub.hasAllAcknowledged(id));
    await stage.relay.stop();
    expect(session.closes).toBe(1);
    expect(await readdir(path.join(home, 'journals'))).toEqual([]);
    await stage.restart();
  });
});
