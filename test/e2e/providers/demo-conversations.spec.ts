import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderRuntime } from '#provider-kit';
import {
  answered,
  Conversation,
  skipped,
  type ConformanceRig,
  type Outcome,
} from '#provider-kit/conformance';
import { PROVIDERS } from '#providers';
import { DEMO, DEMO_CONVERSATIONS, type DemoConversation, type Scenario } from '#scripted-models';
import { startRig } from '../../support/claude-code-subject.js';
import { driverOf } from '../../support/driver-of.js';
import { TOLD_BY_CLAUDE_CODE } from '../../support/told-by-claude-code.js';

jest.setTimeout(120_000);

/** The demo as it is, but for its pace, which is for people. */
const AT_ONCE: Scenario = { ...DEMO, pace: { charactersPerChunk: 400, msBetweenChunks: 0 } };

describe('the demo', () => {
  const driver = driverOf(PROVIDERS, 'claude');
  let rig: ConformanceRig;
  let runtime: ProviderRuntime;

  beforeAll(async () => {
    const settings = (url: string) => ({ baseUrl: url, apiKey: 'sk-scripted' });
    rig = await startRig({ driver, told: TOLD_BY_CLAUDE_CODE, settings }, AT_ONCE);
    runtime = await driver.open(rig.host);
  });
  afterAll(async () => {
    await runtime.close();
    await rig.stop();
  });

  async function begin(demo: DemoConversation, name: string) {
    const folder = path.join(rig.folder, name);
    for (const [file, content] of Object.entries(demo.files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
    const conversation = await Conversation.start({ ...rig, folder }, runtime);
    await conversation.say(demo.firstMessage);
    return { conversation, folder };
  }

  async function answer(conversation: Conversation, outcome: Outcome) {
    const ask = await conversation.seen.until(() => conversation.seen.asks[0]);
    await conversation.settle(ask.toolCallId, [outcome]);
    expect((await conversation.seen.turnEnd()).outcome).toBe('done');
    await conversation.session.close();
    return conversation.seen.of('text').map((block) => block.text);
  }

  const [working, asking, askingSeveral] = DEMO_CONVERSATIONS as [
    DemoConversation,
    DemoConversation,
    DemoConversation,
  ];

  it('[demo] the agent that works makes real changes, and none of its tools fails', async () => {
    const { conversation, folder } = await begin(working, 'working');
    expect((await conversation.seen.turnEnd()).outcome).toBe('done');
    const failed = conversation.seen.of('tool-returned').filter((result) => result.failed);
    expect(failed).toEqual([]);
    expect(conversation.seen.of('tool-called').length).toBeGreaterThan(12);
    expect(await readFile(path.join(folder, 'src/import.js'), 'utf8')).toContain('new Set()');
    await conversation.session.close();
  });

  it('[demo] the agent that asks goes on as answered', async () => {
    const { conversation, folder } = await begin(asking, 'asking');
    const said = await answer(conversation, answered([2]));
    expect(said.at(-1)).toContain('each article once');
    expect(await readFile(path.join(folder, 'src/price-batch.js'), 'utf8')).toContain(
      'Promise.all',
    );
  });

  it('[demo] the agent that asks goes on with its best guess when the question is skipped', async () => {
    const { conversation, folder } = await begin(asking, 'skipped');
    const said = await answer(conversation, skipped);
    expect(said.join('\n')).toContain('There was no answer, so I assume');
    expect(await readFile(path.join(folder, 'src/price-cache.js'), 'utf8')).toContain('KEEP_MS');
  });

  it('[demo] the agent that asks for several goes on with each of them and what was typed', async () => {
    const { conversation, folder } = await begin(askingSeveral, 'several');
    await answer(conversation, answered([0, 3], 'Somebody is awake'));
    const list = await readFile(path.join(folder, 'RELEASE.md'), 'utf8');
    expect(list.split('\n').filter((line) => line.startsWith('- [ ]'))).toEqual([
      '- [ ] Run all tests; stop at the first that fails.',
      '- [ ] Put the old version back once, and time it.',
      '- [ ] Somebody is awake',
    ]);
  });
});
