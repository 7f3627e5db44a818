import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ToolCallId,
  type AgentEvent,
  type ConversationId,
  type HubMessage,
  type MessageId,
} from '#contracts';
import { appendToJournal } from '../../../../test/support/relay/journal-on-disk.js';
import type { PuppetSession } from '../../../../test/support/relay/puppet-driver.js';
import {
  anAnswer,
  makeRelayStage,
  type RelayStage,
} from '../../../../test/support/relay/relay-stage.js';

const CALL = ToolCallId.parse('toolu_1');
const LATER = ToolCallId.parse('toolu_2');
const INTERRUPT: HubMessage = { kind: 'interrupt' };
let stage: RelayStage;
afterEach(() => stage.close());

const eventsOf = (id: ConversationId): AgentEvent[] =>
  stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);
const told = (id: ConversationId): string[] =>
  eventsOf(id).map((event) => (event.kind === 'notice' ? event.code : event.kind));
const turnIs = (id: ConversationId, turn: string): Promise<void> =>
  stage.hub.until(() => stage.hub.turn(id) === turn);
const deliveries = (id: ConversationId): string[] =>
  stage.hub.all(id, 'answer-progress').map(({ delivery }) => delivery);

/** An agent that has a message and has not begun to work on it. */
async function anAgentThatWasTold(): Promise<{
  id: ConversationId;
  session: PuppetSession;
  messageId: MessageId;
}> {
  stage = await makeRelayStage();
  const id = stage.hub.assign();
  const messageId = stage.hub.say(id, 'Hello');
  const session = await stage.driver.session(0);
  await stage.hub.nth(id, 'message-picked-up');
  return { id, session, messageId };
}

/** What a relay leaves that is killed right after it wrote the hub's message down. */
function killedAfterTaking(id: ConversationId, message: HubMessage): void {
  appendToJournal(stage.home, id, { r: 'in', n: stage.hub.give(id, message), message });
}

describe('a stop', () => {
  it('[C9] cancels nothing that is asked after it, however often the relay starts again', async () => {
    const { id, session } = await anAgentThatWasTold();
    const { hub } = stage;
    const stopped = session.beginTurn();
    await turnIs(id, 'running');
    hub.give(id, INTERRUPT);
    await session.interrupted();
    session.endTurn(stopped);
    await turnIs(id, 'done');
    hub.say(id, 'Go on');
    await session.message(1);
    session.beginTurn();
    session.ask(LATER, 'Go on?');
    await hub.nth(id, 'ask');
    await stage.restart();
    await hub.nth(id, 'snapshot');
    await stage.crash();
    await hub.nth(id, 'snapshot', 1);
    expect(hub.all(id, 'request-ended')).toEqual([]);
    expect(hub.all(id, 'snapshot').at(-1)?.requests).toEqual([
      { toolCallId: LATER, state: 'detached' },
    ]);
  });

  it('[C9] that the relay did not live to carry out is carried out by its next life', async () => {
    const { id, session } = await anAgentThatWasTold();
    const { hub } = stage;
    session.beginTurn();
    session.ask(CALL, 'Go on?');
    await hub.nth(id, 'ask');
    await stage.restart(() => killedAfterTaking(id, INTERRUPT));
    expect(await hub.nth(id, 'request-ended')).toMatchObject({
      toolCallId: CALL,
      outcome: 'cancelled',
    });
  });

  it('[C11] that the relay did not live to carry out keeps an answer from the agent', async () => {
    const { id, session } = await anAgentThatWasTold();
    const { hub, driver } = stage;
    session.beginTurn();
    session.ask(CALL, 'Go on?');
    await hub.nth(id, 'ask');
    await stage.restart(() => {
      killedAfterTaking(id, anAnswer(CALL));
      killedAfterTaking(id, INTERRUPT);
    });
    await hub.nth(id, 'answer-progress');
    await hub.until(() => hub.hasAllAcknowledged(id));
    hub.say(id, 'Next');
    const resumed = await driver.session(1);
    expect((await resumed.message(0)).text).toBe('Next');
    expect(deliveries(id)).toEqual(['superseded']);
  });

  it('[C9] that came before the agent had the message ends the turn that the hub waits for', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    await hub.until(() => hub.hasAllAcknowledged(id));
    await stage.restart(() => {
      killedAfterTaking(id, {
        kind: 'send-message',
        messageId: hub.say(hub.assign(), 'Elsewhere'),
        text: 'Hello',
      });
      killedAfterTaking(id, INTERRUPT);
    });
    await turnIs(id, 'interrupted');
    expect(told(id)).toEqual(['message-not-sent', 'turn-started', 'turn-ended']);
    hub.queue(id, 'Next');
    await hub.nth(id, 'message-picked-up');
    const texts = driver.sessions.flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(texts).toContain('Next');
    expect(texts).not.toContain('Hello');
  });

  it('[C9] in the moment between a message and its turn interrupts the client', async () => {
    const { id, session } = await anAgentThatWasTold();
    stage.hub.give(id, INTERRUPT);
    await session.interrupted();
    expect(stage.hub.turn(id)).toBe('due');
  });

  it('[C9] keeps a message for good from an agent whose client died before it had it', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    const messageId = hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.prompt = false;
    await session.message(0);
    driver.sent.set(messageId, 'no');
    session.interrupt = () => {
      session.die();
      return Promise.resolve();
    };
    hub.give(id, INTERRUPT);
    await turnIs(id, 'interrupted');
    hub.queue(id, 'Next');
    const resumed = await driver.session(1);
    expect((await resumed.message(0)).text).toBe('Next');
  });
});

describe('a turn that the hub waits for', () => {
  it('[C9] is told as failed where the client dies with the message, before it began', async () => {
    const { id, session } = await anAgentThatWasTold();
    session.die();
    await turnIs(id, 'failed');
    expect(told(id)).toEqual(['process-ended', 'turn-started', 'turn-ended']);
  });

  it('[C9] is told as interrupted where the relay dies after the client took the message', async () => {
    const { id } = await anAgentThatWasTold();
    await stage.crash();
    await turnIs(id, 'interrupted');
    expect(told(id)).toEqual(['relay-restarted', 'turn-started', 'turn-ended']);
  });

  it('[C9] is told as interrupted where only the client’s record knows that it took the message', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    const messageId = hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.prompt = false;
    await session.message(0);
    driver.sent.set(messageId, 'yes');
    await stage.crash();
    await turnIs(id, 'interrupted');
    expect(told(id)).toEqual(['turn-never-began', 'turn-started', 'turn-ended']);
    hub.queue(id, 'Next');
    expect((await (await driver.session(1)).message(0)).text).toBe('Next');
  });

  it('[C9] is not told as over while its message is still on its way to the agent', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.prompt = false;
    await session.message(0);
    session.die();
    const resumed = await driver.session(1);
    await resumed.message(0);
    resumed.endTurn(resumed.beginTurn());
    await turnIs(id, 'done');
    expect(told(id)).toEqual(['process-ended', 'turn-started', 'turn-ended']);
  });

  it('[link.6] is told as failed where the message could not be read', async () => {
    stage = await makeRelayStage();
    const { hub } = stage;
    const id = hub.assign();
    await hub.until(() => hub.hasAllAcknowledged(id));
    hub.give(id, { kind: 'send-message', messageId: 'no id' as MessageId, text: 'Hello' });
    await turnIs(id, 'failed');
    expect(eventsOf(id).at(-1)).toMatchObject({ failure: { code: 'unreadable-message' } });
  });
});
