import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { HubLog } from '../../apps/hub/src/platform/hub-log.js';
import { askedInWords } from '#contracts';
import { cutWireTo, type CutWire } from '../support/cut-wire.js';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

let database: TestDatabase;
let wire: CutWire;
let hub: TestHub;
let phone: DeviceClient;
let key: string;

beforeAll(async () => {
  database = await openTestDatabase();
  wire = await cutWireTo(database.addresses.app);
  hub = await bootHub(wire.address);
  phone = await hub.device('Phone');
  key = await readFile(path.join(hub.home, 'metrics.key'), 'utf8');
  await hub.relay.attach(hub.url);
  await phone.connect();
});
afterAll(async () => {
  await hub.close();
  await wire.close();
  await database.remove();
});

const collect = (shown?: string): Promise<Response> =>
  fetch(`${hub.url}/metrics`, {
    headers: shown === undefined ? {} : { authorization: `Bearer ${shown}` },
  });
/** The value of the one line that begins with `name`. */
const figure = async (name: string): Promise<number> => {
  const lines = (await (await collect(key)).text()).split('\n');
  const line = lines.find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
};
const startConversation = async () => {
  const { id } = await phone.start({ relayId: hub.relay.id, provider: 'scripted' as never });
  await hub.relay.hear(id, 'send-message');
  return id;
};

describe('the figures', () => {
  it.each([
    ['nothing', undefined],
    ['a made-up key', 'x'.repeat(43)],
  ])('[S2] are refused to who shows %s', async (_what, shown) => {
    expect((await collect(shown)).status).toBe(401);
  });

  it("[S2] are refused to a device's token, and their key opens nothing else", async () => {
    expect((await collect(phone.token)).status).toBe(401);
    const inbox = await fetch(`${hub.url}/api/inbox`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(inbox.status).toBe(401);
  });

  it('[S5] have a key that only the hub’s user can read', async () => {
    const { mode } = await stat(path.join(hub.home, 'metrics.key'));
    expect((mode & 0o777).toString(8)).toBe('600');
  });

  it('[figures] tell how many questions wait, and for how long', async () => {
    const conversation = await startConversation();
    hub.relay.ask(conversation);
    await phone.hearRequest(conversation);
    expect(await figure('coxswain_requests_open')).toBe(1);
    await database.moveClock(90_000);
    expect(await figure('coxswain_oldest_request_seconds')).toBeGreaterThanOrEqual(90);
  });

  it('[figures] tell what was delivered and what is still unconfirmed', async () => {
    const conversation = await startConversation();
    hub.relay.ask(conversation);
    const request = await phone.hearRequest(conversation);
    const [card] = request.cards;
    if (card === undefined) throw new Error('a request without a card');
    await phone.answer(card, { choices: [0] });
    await hub.relay.hear(conversation, 'give-answer');
    expect(await figure('coxswain_answers_unconfirmed')).toBe(1);
    expect(await figure('coxswain_request_wait_seconds_count{outcome="answered"}')).toBe(1);

    await hub.relay.sendAndSettle(conversation, {
      kind: 'answer-progress',
      requestId: request.id,
      delivery: 'delivered',
      possibleRepeat: false,
    });
    expect(await figure('coxswain_answers_unconfirmed')).toBe(0);
    expect(await figure('coxswain_answer_delivery_seconds_count{delivery="delivered"}')).toBe(1);
  });

  it('[figures] tell what was refused, how fast requests are served and how the database keeps up', async () => {
    const before = await figure('coxswain_refusals_total{code="NOT_FOUND"}');
    await phone.call('GET', '/api/conversations/c0ffee00-0000-4000-8000-000000000001');
    expect(await figure('coxswain_refusals_total{code="NOT_FOUND"}')).toBe((before || 0) + 1);
    const served = 'method="POST",route="/api/conversations",status="200"';
    expect(await figure(`coxswain_http_seconds_count{${served}}`)).toBeGreaterThan(0);
    expect(await figure('coxswain_flush_seconds_count{outcome="stored"}')).toBeGreaterThan(0);
  });

  it('[figures] name no conversation, folder, device or question', async () => {
    const { id } = await phone.start({ relayId: hub.relay.id, provider: 'scripted' as never });
    const text = await (await collect(key)).text();
    expect(text).toContain('coxswain_relays_attached 1');
    expect(text).toContain('coxswain_device_sockets 1');
    for (const secret of [id, phone.deviceId, 'Phone', hub.home])
      expect(text).not.toContain(secret);
  });

  it('[figures] are there also while the database is away, and say so', async () => {
    wire.cut();
    expect(await figure('coxswain_database_reachable')).toBe(0);
    wire.mend();
    expect(await figure('coxswain_database_reachable')).toBe(1);
  });
});

describe('the log', () => {
  it('[figures] has the life of a question under one id, and nothing of what was asked and answered', async () => {
    const logged = jest.spyOn(hub.hub.application.get(HubLog), 'log');
    const conversation = await startConversation();
    const toolCall = hub.relay.ask(conversation);
    const request = await phone.hearRequest(conversation);
    const [card] = request.cards;
    if (card === undefined) throw new Error('a request without a card');
    await phone.answer(card, { choices: [], text: 'a secret of mine' });
    await hub.relay.sendAndSettle(conversation, {
      kind: 'answer-progress',
      requestId: request.id,
      delivery: 'delivered',
      possibleRepeat: false,
    });

    const mine = logged.mock.calls.filter(([, fields]) => hasRequest(fields, request.id));
    expect(mine.map(([line]) => line)).toEqual([
      'question opened',
      'card settled',
      'question closed',
      'answer for the relay',
      'answer on its way',
    ]);
    expect(mine[0]?.[1]).toMatchObject({ toolCall, conversation });
    const text = JSON.stringify(logged.mock.calls);
    expect(text).not.toContain('a secret of mine');
    expect(text).not.toContain(askedInWords(card.body));
    logged.mockRestore();
  });
});

const hasRequest = (fields: unknown, request: string): boolean =>
  typeof fields === 'object' &&
  fields !== null &&
  'request' in fields &&
  fields.request === request;
