import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Transcript } from './transcript.js';

const REF = '5c3449c5-b992-439f-854e-b85f87f12209';
const MESSAGE = '11111111-1111-4111-8111-111111111111';

const result = (id: string, kind?: string) => ({
  type: 'user',
  ...(kind !== undefined && { toolDenialKind: kind }),
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
});
const call = (id: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name: 'AskUserQuestion', input: {} }] },
});

describe('the client’s record', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'coxswain-transcript-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function recorded(...lines: unknown[]): Promise<Transcript> {
    const project = path.join(folder, 'projects', '-some-folder');
    mkdirSync(project, { recursive: true });
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(path.join(project, `${REF}.jsonl`), text.join('\n'));
    const found = await Transcript.find(folder, REF);
    if (found === undefined) throw new Error('not found');
    return found;
  }

  it.each([
    ['given', result('call')],
    // A refusal of ours, such as "nobody answered", is a result that the model reads.
    ['given', result('call', 'permission-rule')],
    ['broken-off', result('call', 'interrupted')],
    ['broken-off', result('call', 'user-rejected')],
    ['none', result('another-call')],
    ['none', call('call')],
  ])('[link.4] tells %s of a line', async (expected, line) => {
    const transcript = await recorded(call('call'), line);
    expect(await transcript.resultOf('call')).toBe(expected);
    expect(await transcript.newResultOf('call')).toBe(expected);
  });

  it('[link.4] a line that a kill cut short is no record', async () => {
    const transcript = await recorded(call('call'), JSON.stringify(result('call')).slice(0, -9));
    expect(await transcript.resultOf('call')).toBe('none');
  });

  it('[link.4] a text that only speaks of the call is no result of it', async () => {
    const spoken = { type: 'user', message: { role: 'user', content: 'call call call' } };
    expect(await (await recorded(spoken)).resultOf('call')).toBe('none');
  });

  it('[C11] knows a message by its id, also one that the client took in mid-turn', async () => {
    const plain = await recorded({ type: 'user', uuid: MESSAGE, message: { content: 'hi' } });
    expect(await plain.hasMessage(MESSAGE)).toBe(true);
    const taken = await recorded({ type: 'attachment', attachment: { source_uuid: MESSAGE } });
    expect(await taken.hasMessage(MESSAGE)).toBe(true);
    const parent = await recorded({ type: 'assistant', parentUuid: MESSAGE });
    expect(await parent.hasMessage(MESSAGE)).toBe(false);
  });

  it('[D10] knows what the session has cost before', async () => {
    const cost = (totalCostUSD: number) => ({ type: 'cost-state', totalCostUSD });
    expect(await (await recorded(cost(0.1), cost(0.4))).costSoFar()).toBe(0.4);
    expect(await (await recorded(call('call'))).costSoFar()).toBe(0);
  });

  it.each(['', '../../etc/passwd', 'a/b', `${REF}/..`])(
    '[security] %j is the name of no session',
    async (ref) => {
      expect(await Transcript.find(folder, ref)).toBeUndefined();
    },
  );
});
