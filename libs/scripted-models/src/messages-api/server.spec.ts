import { afterEach, describe, expect, it } from '@jest/globals';
import { newToolResults, personTexts, toolResult, type ModelCall } from '../model-call.js';
import { breakStream, hold, say, text, thinking, tool, type Scenario } from '../scenario.js';
import { ScriptedMessagesApi } from './server.js';

let api: ScriptedMessagesApi | undefined;
afterEach(() => api?.stop());

const start = async (turns: Scenario['turns'], more: Partial<Scenario> = {}) => {
  api = await ScriptedMessagesApi.start({ name: 'test', turns, ...more });
  return api;
};
const user = (content: unknown) => ({ role: 'user', content });
const post = (url: string, messages: unknown[], more: Record<string, unknown> = {}) =>
  fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, messages, ...more }),
  });
const events = async (response: Response) =>
  (await response.text())
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => JSON.parse(frame.split('\ndata: ')[1] ?? '') as Record<string, unknown>);

describe('the scripted Messages API', () => {
  it('[P1] streams text, thoughts and tool calls, each frame with its event line', async () => {
    const { url } = await start([
      {
        on: 'go',
        steps: [say(thinking('Hm.'), text('Yes.'), tool('Bash', { command: 'ls' }, 't1'))],
      },
    ]);
    const told = await events(await post(url, [user('go')]));
    expect(told.map((event) => event['type'])).toEqual([
      'message_start',
      ...[
        'content_block_start',
        'content_block_delta',
        'content_block_delta',
        'content_block_stop',
      ],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ]);
    expect(told.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('[P1] gives the same reply whole where no stream was asked for', async () => {
    const { url } = await start([{ on: 'go', steps: [say(text('Yes.'))] }]);
    const reply = await (await post(url, [user('go')], { stream: false })).json();
    expect(reply).toMatchObject({
      content: [{ type: 'text', text: 'Yes.' }],
      stop_reason: 'end_turn',
    });
  });

  it('[P1] finds the step by the replies since the message that names the turn', async () => {
    const { url } = await start([
      { on: 'first', steps: [say(text('1.1')), say(text('1.2'))] },
      { on: 'second', steps: [say(text('2.1'))] },
    ]);
    const reply = { role: 'assistant', content: 'so' };
    const said = async (...messages: unknown[]) =>
      (await (await post(url, messages, { stream: false })).json()) as {
        content: { text: string }[];
      };
    expect((await said(user('first'))).content[0]?.text).toBe('1.1');
    expect((await said(user('first'), reply, user('x'))).content[0]?.text).toBe('1.2');
    expect((await said(user('first'), reply, user('second'))).content[0]?.text).toBe('2.1');
    // What failed before and what is new come as one message: the new one counts.
    expect((await said(user('second, then first'))).content[0]?.text).toBe('1.1');
  });

  it('[P1] works a step out from what the model was sent', async () => {
    const answer = (call: ModelCall) => say(text(`I read ${newToolResults(call)[0]?.text ?? ''}`));
    const { url } = await start([{ on: 'go', steps: [say(tool('Ask', {}, 't1')), answer] }]);
    const call = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Ask', input: {} }],
    };
    const result = {
      type: 'tool_result',
      tool_use_id: 't1',
      content: [{ type: 'text', text: 'A' }],
    };
    const reply = await post(url, [user('go'), call, user([result])], { stream: false });
    expect(await reply.json()).toMatchObject({ content: [{ text: 'I read A' }] });
    expect(toolResult(api?.calls[0] as ModelCall, 't1')).toBe('A');
  });

  it('[P1] holds a reply until it is released, and says when it stands there', async () => {
    const { url } = await start([
      { on: 'go', steps: [say(text('before'), hold('here'), text('after'))] },
    ]);
    const response = await post(url, [user('go')]);
    await api?.held('here');
    api?.release('here');
    const texts = (await events(response)).filter(
      (event) => event['type'] === 'content_block_delta',
    );
    expect(texts).toHaveLength(2);
  });

  it('[P1] answers with the failures of a step first, as often as each says', async () => {
    const failures = [
      { status: 529, type: 'overloaded_error', message: 'later', times: 2 },
      { status: 429, type: 'rate_limit_error', message: 'slower', retryAfter: 3 },
    ];
    const { url } = await start([{ on: 'go', steps: [{ parts: [text('ok')], failures }] }]);
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await post(url, [user('go')]));
    expect(answers.map((answer) => answer.status)).toEqual([529, 529, 429, 200]);
    expect(answers[2]?.headers.get('retry-after')).toBe('3');
    expect(await answers[0]?.json()).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error' },
    });
  });

  it('[P1] cuts the connection where the scenario says so', async () => {
    const { url } = await start([{ on: 'go', steps: [say(text('half'), breakStream)] }]);
    const response = await post(url, [user('go')]);
    // An error of fetch is of another realm than the test's; its message is what is compared.
    const how = await response.text().then(
      () => 'whole',
      (cause: unknown) => String(cause),
    );
    expect(how).toMatch(/terminated|aborted|closed/);
  });

  it('[P1] keeps every request, reminders in the middle of the messages too', async () => {
    const { url } = await start([]);
    const waiting = api?.call((call) => personTexts(call).includes('third'));
    await post(url, [user('third'), { role: 'system', content: 'a reminder' }], {
      system: 'be kind',
    });
    expect(await waiting).toMatchObject({
      n: 1,
      model: 'm',
      system: 'be kind',
      messages: [
        { role: 'user' },
        { role: 'system', pieces: [{ kind: 'text', text: 'a reminder' }] },
      ],
    });
  });

  it('[P1] counts tokens, lists models, and names what it does not know', async () => {
    const { url } = await start([], { models: [{ id: 'm1', label: 'Model 1' }] });
    const counted = await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
    expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) });
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'm1' }] });
    expect((await fetch(`${url}/v2/other`)).status).toBe(404);
    expect(api?.unknownRequests).toEqual(['GET /v2/other']);
  });

  it('[quality] a body that is no JSON gets the fallback, not a crash', async () => {
    const { url } = await start([]);
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{"half' });
    expect(await response.json()).toMatchObject({ content: [{ text: 'Done.' }] });
  });
});
