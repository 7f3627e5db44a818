import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TurnId, type Conversation, type DeviceSnapshot, type StoredEvent } from '#contracts';
import { DeviceClient } from '../support/device-client.js';
import type { PuppetSession } from '../support/relay/puppet-driver.js';
import { call, RestoredStage } from '../support/relay/restored-stage.js';

jest.setTimeout(120_000);

const texts = (events: readonly StoredEvent[]): string[] =>
  events.flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));

describe('a hub whose database was put back while its agents went on', () => {
  let stage: RestoredStage;
  let before: DeviceSnapshot;
  let a: Conversation;
  let b: Conversation;
  let session: PuppetSession;
  let oldToken: string;
  let pairing: string;

  beforeAll(async () => {
    stage = await RestoredStage.make();
    const { link, phone } = stage;
    a = await stage.start('First');
    session = await link.driver.session(0);
    const turnId = session.beginTurn();
    const say = (text: string): void =>
      session.sink.event({ kind: 'text', turnId, blockId: text, text });
    say('before');
    await phone.answer(await stage.asks(session, call('answered')), { choices: [0] });
    await session.answered(0);
    const open = await stage.asks(session, call('open'));
    const link1 = await phone.post('/api/devices/pairing-links');
    pairing = (link1.body as { secret: string }).secret;
    await stage.settled();

    const restore = await stage.backUp();
    before = await phone.connect();
    await phone.answer(open, { choices: [1] });
    await session.answered(1);
    say('after');
    await phone.answer(await stage.asks(session, call('new')), { choices: [0] });
    await session.answered(2);
    await stage.asks(session, call('still-open'));
    b = await stage.start('Second');
    const other = await link.driver.session(1);
    const otherTurn = other.beginTurn();
    other.sink.event({ kind: 'text', turnId: otherTurn, blockId: 'b', text: 'in B' });
    await stage.asks(other, call('of-b'));
    await stage.settled();
    oldToken = phone.token;

    await restore();
    await stage.restored();
    await stage.until('select from request where tool_call_id = $1', [call('of-b')]);
    await stage.settled();
  });
  afterAll(() => stage.close());

  it('[link.10] has what its agents said after the backup, once', async () => {
    expect(texts(await stage.events(a.id))).toEqual(['before', 'after']);
  });

  it('[link.10] says in each conversation what happened', async () => {
    const notices = (await stage.events(a.id)).flatMap(({ body }) =>
      body.kind === 'notice' ? [body.code] : [],
    );
    expect(notices).toEqual(['hub-restored']);
  });

  it('[link.10] leaves an answer of before the backup as it was given', async () => {
    expect(await stage.request(call('answered'))).toMatchObject({
      outcome: 'answered',
      delivery: 'delivered',
      cards: [{ settlement: { answer: { choices: [0] }, by: { name: 'Phone' } } }],
    });
  });

  it.each([
    ['a card that was open then', 'open', [1]],
    ['a card that opened after', 'new', [0]],
  ])('[link.10] gets back the answer to %s', async (_what, name, choices) => {
    expect(await stage.request(call(name))).toMatchObject({
      status: 'closed',
      outcome: 'answered',
      delivery: 'delivered',
      cards: [{ settlement: { answer: { choices }, by: { principal: { kind: 'hub' } } } }],
    });
  });

  it('[link.10] gives no answer twice', () => {
    const given = session.answers.map(({ toolCallId }) => toolCallId);
    expect(given).toEqual([call('answered'), call('open'), call('new')]);
  });

  it('[link.10] has a conversation that began after the backup, with its message and its card', async () => {
    const events = await stage.events(b.id);
    const messages = events.flatMap(({ body }) =>
      body.kind === 'message-accepted' ? [body.text] : [],
    );
    expect([texts(events), messages]).toEqual([['in B'], ['Second']]);
    expect(await stage.request(call('of-b'))).toMatchObject({ status: 'open', detached: false });
  });

  it('[link.10] still gives an agent the answer to a question that waits', async () => {
    const request = await stage.request(call('still-open'));
    const [card] = request?.cards ?? [];
    if (card === undefined) throw new Error('the card is gone');
    await stage.phone.answer(card, { choices: [1] });
    expect(await session.answered(3)).toMatchObject({ toolCallId: call('still-open') });
    await stage.until(`select from request where tool_call_id = $1 and delivery = 'delivered'`, [
      call('still-open'),
    ]);
  });

  it('[link.10] voids access tokens and pairing links', async () => {
    const held = stage.phone.token;
    stage.phone.token = oldToken;
    const withOld = await stage.phone.get('/api/inbox');
    stage.phone.token = held;
    const thief = new DeviceClient(stage.link.hub.url, 'Thief');
    const signIn = await thief.signIn(pairing);
    expect([withOld.status, signIn.status]).toEqual([401, 410]);
  });

  it('[link.10] lets every mode fall to the strictest that the provider enforces, and tells the agent', async () => {
    const { body } = await stage.phone.get('/api/conversations');
    const { conversations } = body as { conversations: Conversation[] };
    expect(conversations.map(({ mode }) => mode.mode)).toEqual(['plan', 'plan']);
    await stage.until(
      'select from conversation where id = $1 and mode_acknowledged = mode_version',
      [a.id],
    );
    expect(session.modes).toEqual(['plan']);
  });

  it('[link.10] tells devices of a new incarnation, and when it began', async () => {
    const now = await stage.phone.connect();
    expect(now.incarnation).not.toBe(before.incarnation);
    expect([before.restoredAt, now.restoredAt]).toEqual([undefined, expect.any(Number)]);
  });

  it('[link.10] writes it down once', async () => {
    await stage.link.stopRelay();
    await stage.link.startRelay();
    await stage.link.attached(stage.phone);
    const { rows } = await stage.database.owner.query(
      `select body ->> 'conversations' as conversations from audit where action = 'hub-restored'`,
    );
    expect(rows).toEqual([{ conversations: '2' }]);
  });
});

describe('a hub that gave out numbers again before its relay came', () => {
  let stage: RestoredStage;
  beforeAll(async () => {
    stage = await RestoredStage.make();
  });
  afterAll(() => stage.close());

  it('[link.10] loses no answer and no message that has a number which the relay knows otherwise', async () => {
    const { driver } = stage.link;
    const a = await stage.start('First');
    const session = await driver.session(0);
    session.beginTurn();
    const open = await stage.asks(session, call('twice'));
    await stage.settled();
    const restore = await stage.backUp();
    await stage.phone.answer(open, { choices: [0] });
    await session.answered(0);
    await stage.phone.post(`/api/conversations/${a.id}/stop`);
    await session.interrupted();
    await stage.settled();
    await stage.link.stopRelay();

    await restore();
    expect((await stage.phone.answer(open, { choices: [1] })).status).toBe(200);
    const { rows } = await stage.database.owner.query('select n from outbox');
    expect(rows).toHaveLength(1);
    driver.taken.set(call('twice'), 'yes');
    await stage.link.startRelay();

    const again = await driver.session(1);
    const { text } = await again.message(0);
    expect(text).toContain('No');
    await stage.restored();
    await stage.settled();
    const codes = (await stage.events(a.id)).flatMap(({ body }) =>
      body.kind === 'notice' ? [body.code] : [],
    );
    expect(codes).toContain('answered-before-restore');
  });
});

describe('a relay that keeps no more what the hub lost', () => {
  let stage: RestoredStage;
  beforeAll(async () => {
    stage = await RestoredStage.make({
      segmentBytes: 200,
      restBytes: 0,
      keptMs: 0,
      keptBytes: 0,
      idleMs: 50,
    });
  });
  afterAll(() => stage.close());

  it('[link.10] says how much is missing, and goes on behind it', async () => {
    const turns: TurnId[] = [];
    stage.link.driver.atStart = (started) => void turns.push(started.beginTurn());
    const a = await stage.start('First');
    const session = await stage.link.driver.session(0);
    const turnId = TurnId.parse(turns[0]);
    await stage.settled();
    const restore = await stage.backUp();
    for (let at = 0; at < 20; at += 1) {
      session.sink.event({ kind: 'text', turnId, blockId: `${at}`, text: `line ${at}` });
      await stage.hasText(a.id, `line ${at}`);
    }
    session.endTurn(turnId);
    // The agent is put to sleep, and what the hub has is kept no more.
    const journal = path.join(stage.link.home, 'journals', `${a.id}@1`);
    while ((await readdir(journal)).length > 2);
    await stage.link.stopRelay();
    await restore();
    await stage.link.startRelay();
    await stage.restored();
    await stage.settled();
    await stage.phone.post(`/api/conversations/${a.id}/messages`, {
      messageId: crypto.randomUUID(),
      text: 'Are you there?',
    });
    await (await stage.link.driver.session(1)).message(0);

    const missing = (await stage.events(a.id)).flatMap(({ body }) =>
      body.kind === 'tombstone' ? [body.missing ?? 0] : [],
    );
    expect(missing).toEqual([expect.any(Number)]);
    expect(missing[0]).toBeGreaterThan(10);
  });
});
