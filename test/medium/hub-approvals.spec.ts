import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  Action,
  Card,
  CardBody,
  Conversation,
  ErrorBody,
  GiveAnswer,
  RelayMode,
  ToolCallId,
  Verdict,
} from '#contracts';
import type { DeviceClient, HttpAnswer } from '../support/device-client.js';
import { FakeRelay, scriptedWithGate } from '../support/fake-relay.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { PROVIDER } from '../support/linked-hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app, {}, new FakeRelay([scriptedWithGate('ask', 'plan')]));
  phone = await hub.device('Phone');
  await hub.relay.attach(hub.url);
  await phone.connect();
}, 60_000);
afterAll(async () => {
  await hub.close();
  await database.remove();
});

const running = (command: string[] = ['npm', 'test']): Action => ({
  kind: 'run',
  tool: 'Bash',
  arguments: JSON.stringify({ command: command.join(' ') }),
  folder: '/home/me/project',
  command: command.join(' '),
  risks: [],
  grantable: command,
});
const approval = (action = running()): CardBody => ({ kind: 'approval', action, notes: [] });
const PLAN: CardBody = { kind: 'plan', plan: '# The plan', notes: [] };
const ALLOW: Verdict = { kind: 'allow', scope: 'once' };
const FOR_ALL: Verdict = { kind: 'allow', scope: 'conversation' };

const changeMode = async (id: string, mode: RelayMode): Promise<HttpAnswer> => {
  const { body } = await phone.get(`/api/conversations/${id}`);
  const { conversation } = body as { conversation: Conversation };
  const change = { mode, version: conversation.mode.version };
  return phone.call('PUT', `/api/conversations/${id}/mode`, JSON.stringify(change));
};
const begin = async (mode: RelayMode): Promise<Conversation> => {
  const conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  if (mode !== 'autopilot') expect((await changeMode(conversation.id, mode)).status).toBe(200);
  return conversation;
};
const ask = (id: Conversation['id'], body: CardBody): ToolCallId => {
  const toolCallId = `toolu_${randomUUID()}` as ToolCallId;
  hub.relay.send(id, { kind: 'ask', toolCallId, questions: [body] });
  return toolCallId;
};
const asked = async (mode: RelayMode, body: CardBody) => {
  const conversation = await begin(mode);
  ask(conversation.id, body);
  const request = await phone.hearRequest(conversation.id);
  const [card] = request.cards;
  if (card === undefined) throw new Error('a request without a card');
  return { conversation, card };
};
const decide = (card: Card, verdict: Verdict): Promise<HttpAnswer> => {
  const signature = phone.signDecision(card, { kind: 'verdict', verdict });
  const body = { version: card.version, verdict, signature };
  return phone.post(`/api/cards/${card.id}/verdict`, body);
};
const given = (id: Conversation['id']): Promise<GiveAnswer> =>
  hub.relay.hear(id, 'give-answer') as Promise<GiveAnswer>;
const audited = async (action: string, id: string): Promise<number> => {
  const { rows } = await database.owner.query<{ count: number }>(
    'select count(*)::int as count from audit where action = $1 and conversation_id = $2',
    [action, id],
  );
  return rows[0]?.count ?? 0;
};

describe('leave for an action', () => {
  it('[M3] goes to the relay with exactly what was shown', async () => {
    const { conversation, card } = await asked('ask', approval());
    expect((await decide(card, ALLOW)).status).toBe(200);
    expect((await given(conversation.id)).cards).toEqual([
      { question: approval(), outcome: 'answered', verdict: ALLOW },
    ]);
    expect(await audited('card-decided', conversation.id)).toBe(1);
  });

  it('[C10] is given or refused once; the second is told what was decided', async () => {
    const { card } = await asked('ask', approval());
    await decide(card, { kind: 'deny', word: 'No.' });
    const second = await decide(card, ALLOW);
    expect(second.status).toBe(409);
    const { details } = second.body as ErrorBody & { details: { card: Card } };
    expect(details.card.settlement?.verdict).toEqual({ kind: 'deny', word: 'No.' });
  });

  it('[C12] that is given again by the same device is told success again', async () => {
    const { card } = await asked('ask', approval());
    await decide(card, ALLOW);
    expect((await decide(card, ALLOW)).status).toBe(200);
  });

  it('[C16] can’t be skipped', async () => {
    const { card } = await asked('ask', approval());
    expect((await phone.skip(card)).status).toBe(422);
  });

  it('[M3] is no answer to a question, and an answer is no leave', async () => {
    const { card } = await asked('ask', approval());
    expect((await phone.answer(card, { choices: [], text: 'yes' })).status).toBe(422);
    const question: CardBody = {
      kind: 'question',
      question: 'Which?',
      options: [{ label: 'A' }],
      allowsSeveral: false,
      offersSelectSeveral: false,
      notes: [],
    };
    const other = await asked('ask', question);
    expect((await decide(other.card, ALLOW)).status).toBe(422);
  });

  it('[M3] with a forged signature is nobody’s', async () => {
    const { card } = await asked('ask', approval());
    const signature = phone.signDecision(card, { kind: 'verdict', verdict: FOR_ALL });
    const body = { version: card.version, verdict: ALLOW, signature };
    expect((await phone.post(`/api/cards/${card.id}/verdict`, body)).status).toBe(403);
  });

  it('[M4] can’t be given in plan mode to what plan refuses', async () => {
    const { conversation, card } = await asked('ask', approval());
    await changeMode(conversation.id, 'plan');
    const refused = await decide(card, ALLOW);
    expect(refused.status).toBe(400);
    expect((refused.body as ErrorBody).message).toContain('plan mode');
  });
});

describe('leave for the rest of a conversation', () => {
  it('[M3] lets the very same command through at once, and no other', async () => {
    const { conversation, card } = await asked('ask', approval());
    await decide(card, FOR_ALL);
    const { requestId } = await given(conversation.id);
    const progress = { delivery: 'delivered', possibleRepeat: false } as const;
    hub.relay.send(conversation.id, { kind: 'answer-progress', requestId, ...progress });
    hub.relay.heard.clear();
    const again = ask(conversation.id, approval());
    expect(await given(conversation.id)).toMatchObject({
      toolCallId: again,
      cards: [{ verdict: ALLOW }],
    });
    expect(await audited('action-granted', conversation.id)).toBe(1);
    ask(conversation.id, approval(running(['npm', 'test', '--force'])));
    const other = await phone.hearRequest(conversation.id);
    expect(other.status).toBe('open');
  });

  it('[M3] can’t be given to what is more than one simple command', async () => {
    const { grantable: _grantable, ...chained } = running();
    const { card } = await asked('ask', approval(chained));
    expect((await decide(card, FOR_ALL)).status).toBe(422);
  });

  it('[M3] is asked about again once it was taken back', async () => {
    const { conversation, card } = await asked('ask', approval());
    await decide(card, FOR_ALL);
    const { body } = await phone.get(`/api/conversations/${conversation.id}`);
    const [grant] = (body as { conversation: Conversation }).conversation.grants;
    await phone.call('DELETE', `/api/conversations/${conversation.id}/grants/${grant?.id}`);
    ask(conversation.id, approval());
    expect((await phone.hearRequest(conversation.id)).status).toBe('open');
    expect(await audited('grant-revoked', conversation.id)).toBe(1);
  });
});

describe('what a relay asks while it does not know the mode yet', () => {
  it('[M6] is let through where the conversation is in autopilot by now', async () => {
    const conversation = await begin('ask');
    await changeMode(conversation.id, 'autopilot');
    const call = ask(conversation.id, approval());
    expect(await given(conversation.id)).toMatchObject({
      toolCallId: call,
      cards: [{ verdict: ALLOW }],
    });
  });

  it('[M6] is a plan’s approval also then', async () => {
    const { card } = await asked('autopilot', PLAN);
    expect(card.status).toBe('open');
  });
});

describe('a plan', () => {
  it('[M4] is approved into another mode, of which the relay hears first', async () => {
    const { conversation, card } = await asked('plan', PLAN);
    hub.relay.heard.clear();
    const then: Verdict = { kind: 'approve-plan', then: 'ask' };
    expect((await decide(card, then)).status).toBe(200);
    await given(conversation.id);
    const kinds = hub.relay.heard.all
      .filter(({ conversationId }) => conversationId === conversation.id)
      .map(({ message }) => message.kind);
    expect(kinds).toEqual(['set-mode', 'give-answer']);
  });

  it('[M4] that is approved and no more leaves the mode as it is', async () => {
    const { conversation, card } = await asked('plan', PLAN);
    await decide(card, { kind: 'approve-plan', then: 'plan' });
    expect((await given(conversation.id)).mode).toBe('plan');
  });

  it('[M4] goes back with comments', async () => {
    const { conversation, card } = await asked('plan', PLAN);
    const back: Verdict = { kind: 'send-back', comments: 'Measure first.' };
    await decide(card, back);
    expect((await given(conversation.id)).cards[0]?.verdict).toEqual(back);
  });

  it('[M4] is not approved by stopping the turn', async () => {
    const { conversation, card } = await asked('plan', PLAN);
    await phone.post(`/api/conversations/${conversation.id}/stop`);
    const { rows } = await database.owner.query('select status from card where id = $1', [card.id]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });
});
