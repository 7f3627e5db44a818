import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LIMITS, ToolCallId, type AgentEvent, type ConversationId } from '#contracts';
import type { PuppetSession } from '../../../../test/support/relay/puppet-driver.js';
import {
  anAnswer,
  makeRelayStage,
  type RelayStage,
} from '../../../../test/support/relay/relay-stage.js';
import type { RelayLimits } from '../relay-limits.js';

const CALL = ToolCallId.parse('toolu_1');
let stage: RelayStage;
afterEach(() => stage.close());

const eventsOf = (id: ConversationId): AgentEvent[] =>
  stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);

const textsOf = (id: ConversationId): string[] =>
  eventsOf(id).flatMap((event) => (event.kind === 'text' ? [event.text] : []));

async function anAgent(
  limits: Partial<RelayLimits> = {},
): Promise<{ id: ConversationId; session: PuppetSession; say: (text: string) => void }> {
  stage = await makeRelayStage({ limits });
  const id = stage.hub.assign();
  stage.hub.say(id, 'Hello');
  const session = await stage.driver.session(0);
  const turnId = session.beginTurn();
  await stage.hub.nth(id, 'message-picked-up');
  let block = 0;
  const say = (text: string): void =>
    session.sink.event({ kind: 'text', turnId, blockId: `block ${(block += 1)}`, text });
  return { id, session, say };
}

describe('the link', () => {
  it('[link.1] loses nothing and doubles nothing when it is cut again and again', async () => {
    const { id, say } = await anAgent();
    const said = Array.from({ length: 300 }, (_, at) => `line ${at}`);
    for (const [at, text] of said.entries()) {
      say(text);
      if (at % 50 === 49) {
        const attaches = stage.hub.attaches.length;
        stage.hub.cut();
        await stage.hub.until(() => stage.hub.attaches.length > attaches);
      }
    }
    await stage.hub.until(() => textsOf(id).length >= said.length);
    expect(textsOf(id)).toEqual(said);
  }, 20_000);

  it('[link.1] sends what was said while the hub was away, in frames that it takes', async () => {
    const { id, say } = await anAgent();
    await stage.hub.stop();
    const said = Array.from({ length: 40 }, (_, at) => `${at} ${'é'.repeat(25_000)}`);
    for (const text of said) say(text);
    await stage.hub.start();
    await stage.hub.until(() => textsOf(id).length >= said.length);
    expect(textsOf(id)).toEqual(said);
    expect(Math.max(...stage.hub.frames)).toBeLessThanOrEqual(LIMITS.linkFrameBytes);
  }, 20_000);

  it('[link.1] takes a message that the hub sends twice once', async () => {
    const { id, session } = await anAgent();
    const n = stage.hub.give(id, { kind: 'set-mode', mode: 'ask', modeVersion: 2 });
    stage.hub.sendRaw({
      messages: [
        {
          conversationId: id,
          epoch: 1,
          n,
          message: { kind: 'set-mode', mode: 'ask', modeVersion: 2 },
        },
      ],
    });
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
    expect(session.modes).toEqual(['ask']);
  });

  it('[link.2] that is told that a conversation is not its own stops the agent and keeps the journal aside', async () => {
    const { id, session, say } = await anAgent();
    stage.hub.takeAway(id);
    say('not mine any more');
    await session.closed();
    await stage.relay.stop();
    expect(await readdir(path.join(stage.home, 'journals'))).toEqual([]);
    expect(await readdir(path.join(stage.home, 'journals-put-aside'))).toHaveLength(1);
    await stage.restart();
  });

  it('[link.2] begins anew where a conversation is assigned once more', async () => {
    const { id, session } = await anAgent();
    stage.hub.assign({ id, epoch: 2 });
    stage.hub.say(id, 'Hello again');
    const second = await stage.driver.session(1);
    expect(session.closes).toBe(1);
    expect(second.start.resume).toBeUndefined();
    await stage.hub.nth(id, 'message-picked-up');
  });

  it('[link.3] says which questions are live, and a missing one closes nothing', async () => {
    const { id, session } = await anAgent();
    session.ask(CALL, 'Go on?');
    await stage.hub.nth(id, 'ask');
    const before = stage.hub.all(id, 'snapshot').length;
    stage.hub.cut();
    expect(await stage.hub.nth(id, 'snapshot', before)).toEqual({
      kind: 'snapshot',
      process: 'live',
      requests: [{ toolCallId: CALL, state: 'live' }],
    });
    expect(stage.hub.all(id, 'request-ended')).toEqual([]);
  });

  it('[link.5] holds an agent whose words the hub does not take, and lets it go on when it does', async () => {
    const { id, session, say } = await anAgent({
      mostUnacknowledgedBytes: 200_000,
      segmentBytes: 10_000,
    });
    stage.hub.acknowledges = false;
    const said: string[] = [];
    while (!session.held) {
      said.push('x'.repeat(1_000));
      say('x'.repeat(1_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stage.hub.acknowledges = true;
    stage.hub.cut();
    await session.released();
    const notices = () => eventsOf(id).filter((event) => event.kind === 'notice');
    // It stands behind all that was said.
    await stage.hub.until(() => notices().length > 0);
    expect(notices()).toMatchObject([{ code: 'journal-full' }]);
  }, 20_000);

  it('[link.5] ends an agent that can not be held, and starts it again when the hub has taken its words', async () => {
    const { id, session, say } = await anAgent({
      mostUnacknowledgedBytes: 200_000,
      segmentBytes: 10_000,
    });
    delete session.hold;
    stage.hub.acknowledges = false;
    while (session.closes === 0) say('x'.repeat(1_000));
    stage.hub.say(id, 'Go on');
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
    expect(stage.driver.sessions).toHaveLength(1);
    stage.hub.acknowledges = true;
    stage.hub.cut();
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toBe('Go on');
  }, 20_000);

  it('[link.6] puts a tombstone where the hub refused a message, and goes on', async () => {
    const { id, say } = await anAgent();
    stage.hub.refuses = (message) => JSON.stringify(message).includes('poison');
    say('before');
    await stage.hub.until(() => textsOf(id).length === 1);
    say('poison');
    await stage.hub.nth(id, 'tombstone');
    say('after');
    await stage.hub.until(() => textsOf(id).length === 2);
    expect(stage.hub.all(id, 'tombstone')).toEqual([
      { kind: 'tombstone', what: 'agent-events', reason: 'not storable' },
    ]);
  });

  it('[link.6] tells an agent that its question was lost when the hub refused it', async () => {
    const { id, session } = await anAgent();
    stage.hub.refuses = (message) => message.kind === 'ask';
    session.ask(CALL, 'poison');
    expect((await session.answered()).outcome).toBe('lost');
    expect(await stage.hub.nth(id, 'request-ended')).toMatchObject({ outcome: 'lost' });
  });

  it('[link.6] leaves out what it can not read of the hub, says so, and takes what follows', async () => {
    const { id, session } = await anAgent();
    stage.hub.give(id, { kind: 'something-new' } as never);
    stage.hub.give(id, { kind: 'set-mode', mode: 'ask', modeVersion: 2 });
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
    expect(session.modes).toEqual(['ask']);
    await stage.hub.until(() => eventsOf(id).some((event) => event.kind === 'notice'));
    expect(eventsOf(id).find((event) => event.kind === 'notice')).toMatchObject({
      code: 'unreadable-message',
    });
  });

  it('[link.6] survives frames that are none', async () => {
    const { id, session } = await anAgent();
    for (const frame of [null, 7, { messages: 'no' }, { messages: [null, {}, { n: 1 }] }]) {
      stage.hub.sendRaw(frame);
    }
    stage.hub.give(id, { kind: 'interrupt' });
    await session.interrupted();
  });

  it('[link.8] talks to no hub that has another key than the first', async () => {
    const { id, session } = await anAgent();
    const attaches = stage.hub.attaches.length;
    await stage.hub.stop();
    stage.hub.changeKey();
    await stage.hub.start();
    stage.hub.give(id, anAnswer(CALL));
    expect(await stage.progress()).toContain(
      'has another key than the hub that this relay belongs to',
    );
    expect(stage.hub.attaches).toHaveLength(attaches);
    expect(session.answers).toEqual([]);
  });

  it('[relay] resumes nothing that the hub may have given to another, until the hub was asked', async () => {
    const { id, session } = await anAgent();
    session.ask(CALL, 'Go on?');
    await stage.hub.nth(id, 'ask');
    session.prompt = false;
    stage.hub.give(id, anAnswer(CALL));
    await session.answered();
    stage.hub.takeAway(id);
    await stage.crash();
    await stage.hub.until(() => stage.hub.attaches.length === 2);
    await stage.relay.stop();
    expect(stage.driver.sessions).toHaveLength(1);
    await stage.restart();
  });

  it('[relay] shows pieces of a block in the making, joined', async () => {
    const { session } = await anAgent();
    const turnId = session.beginTurn();
    const block = { kind: 'text', turnId, blockId: 'b' } as const;
    session.sink.delta({ ...block, offset: 0, text: 'Hel' });
    session.sink.delta({ ...block, offset: 3, text: 'lo' });
    await stage.hub.until(() => stage.hub.deltas.length > 0);
    expect(stage.hub.deltas.map(({ delta }) => delta.text)).toEqual(['Hello']);
  });

  it('[relay] answers calls about folders and settings at once', async () => {
    await anAgent();
    const folder = path.join(stage.home, 'inner');
    await mkdir(path.join(folder, 'b 10'), { recursive: true });
    await mkdir(path.join(folder, 'b 9'));
    await writeFile(path.join(folder, 'file'), '');
    expect(await stage.hub.listFolders(folder)).toMatchObject({
      ok: true,
      listing: { path: folder, folders: [{ name: 'b 9' }, { name: 'b 10' }] },
    });
    await rm(folder, { recursive: true });
    expect(await stage.hub.listFolders(folder)).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    expect(await stage.hub.configure({ apiKey: 'sesame' })).toMatchObject({
      ok: true,
      status: { configured: ['apiKey'] },
    });
    expect(await stage.hub.configure({ wrong: 'x' })).toMatchObject({
      ok: false,
      code: 'INVALID',
      message: 'values.wrong: this provider has no such setting; it has: apiKey, baseUrl.',
    });
  });
});
