import { appendFile, mkdir, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationId,
  MessageId,
  ProviderId,
  ToolCallId,
  TurnId,
  type RelayMessage,
} from '#contracts';
import { anAnswer } from '../../../../test/support/relay/relay-stage.js';
import { makeScratchFolder, type ScratchFolder } from '../../../../test/support/scratch-folder.js';
import { newConversationState } from './conversation-state.js';
import { Journal, type JournalOptions } from './journal.js';
import { readSegment } from './segment-files.js';

const KB = 1024;
const OPTIONS: JournalOptions = {
  segmentBytes: 4 * KB,
  restBytes: 3 * KB,
  keptMs: 1_000,
  keptBytes: 16 * KB,
  tailBytes: 2 * KB,
  retryWriteMs: 5,
  trouble: () => undefined,
  now: () => Date.now(),
};
const CALL = ToolCallId.parse('toolu_1');
const TURN = TurnId.parse(randomUUID());
const id = ConversationId.parse(randomUUID());

const notice = (text: string): RelayMessage => ({
  kind: 'agent-events',
  events: [{ kind: 'notice', severity: 'info', code: 'x', params: {}, text }],
});

let scratch: ScratchFolder;
beforeEach(async () => {
  scratch = await makeScratchFolder();
});
const opened: Journal[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
  await scratch.remove();
});

const create = async (options: Partial<JournalOptions> = {}): Promise<Journal> => {
  const state = newConversationState({ conversationId: id, epoch: 1 });
  const journal = await Journal.create(scratch.path, state, { ...OPTIONS, ...options });
  opened.push(journal);
  return journal;
};

const load = async (options: Partial<JournalOptions> = {}): Promise<Journal> => {
  const journal = await Journal.load(scratch.path, { ...OPTIONS, ...options });
  if (journal === undefined) throw new Error('nothing to load');
  opened.push(journal);
  return journal;
};

const files = async (): Promise<string[]> =>
  (await readdir(scratch.path)).sort().map((name) => path.join(scratch.path, name));

const newest = async (): Promise<string> => (await files()).at(-1) ?? '';

/** A journal in which a bit of everything has happened. */
async function aLife(journal: Journal): Promise<void> {
  await journal.receive(1, {
    kind: 'assign',
    session: {
      provider: ProviderId.parse('puppet'),
      folder: '/tmp',
      mode: 'autopilot',
      modeVersion: 1,
    },
  });
  const messageId = MessageId.parse(randomUUID());
  await journal.receive(2, { kind: 'send-message', messageId, text: 'Hello' });
  journal.send({ kind: 'session-started', sessionRef: 'session' });
  journal.send({ kind: 'process', state: 'live' });
  journal.send({ kind: 'message-picked-up', messageId });
  journal.send({ kind: 'agent-events', events: [{ kind: 'turn-started', turnId: TURN }] });
  journal.send({ kind: 'ask', toolCallId: CALL, questions: [] });
  await journal.receive(3, anAnswer(CALL));
  await journal.attempt(3, { way: 'tool', possibleRepeat: false });
}

describe('a journal', () => {
  it('[link.5] gives the same state when it is read back as it had when it was written', async () => {
    const journal = await create();
    await aLife(journal);
    await journal.close();
    expect((await load()).state).toEqual(journal.state);
  });

  it('[link.4] has the attempt that was made before a crash', async () => {
    await aLife(await create());
    // Nothing was closed: this is what a killed relay leaves.
    const [work] = (await load()).state.work;
    expect(work?.attempt).toEqual({ way: 'tool', possibleRepeat: false });
  });

  it('[link.5] drops a last line that was cut off in the middle, and goes on from the one before', async () => {
    const journal = await create();
    journal.send(notice('first'));
    await journal.send(notice('second')).written;
    await journal.close();
    const file = await newest();
    await truncate(file, (await readFile(file)).length - 7);
    const again = await load();
    expect(again.state.sent).toBe(1);
    await again.send(notice('after')).written;
    await again.close();
    expect((await load()).state.sent).toBe(2);
    expect((await readSegment(file)).goodBytes).toBe((await readFile(file)).length);
  });

  it('[link.5] trusts no line whose checksum is wrong, nor what follows it', async () => {
    const journal = await create();
    for (const text of ['one', 'two', 'three']) journal.send(notice(text));
    await journal.close();
    const file = await newest();
    await writeFile(file, (await readFile(file, 'utf8')).replace('"two"', '"2wo"'));
    expect((await load()).state.sent).toBe(1);
  });

  it('[link.5] is read back where the newest segment was only begun', async () => {
    const journal = await create();
    await journal.send(notice('one')).written;
    await journal.close();
    await appendFile(path.join(scratch.path, '00000002-2.log'), 'deadbeef {"r":"beg');
    expect((await load()).state.sent).toBe(1);
  });

  it('[link.5] says that a folder without a whole beginning is no journal', async () => {
    await writeFile(path.join(scratch.path, '00000001-1.log'), 'dead');
    expect(await Journal.load(scratch.path, OPTIONS)).toBeUndefined();
  });

  it('[link.1] reads messages back from the disk that are not in memory any more, in order', async () => {
    const journal = await create();
    for (let n = 1; n <= 60; n += 1) journal.send(notice(`message ${n} ${'x'.repeat(200)}`));
    await journal.close();
    const again = await load();
    const read: number[] = [];
    for (let from = 1; from <= 60; from = (read.at(-1) ?? 0) + 1) {
      read.push(...(await again.outgoing(from, 3 * KB)).map(({ n }) => n));
    }
    expect(read).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect((await files()).length).toBeGreaterThan(2);
  });

  it('[link.6] has a tombstone in place of what was buried, from memory and from the disk', async () => {
    const journal = await create();
    journal.send(notice('good'));
    journal.send(notice('bad'));
    await journal.bury(2, { kind: 'tombstone', what: 'agent-events', reason: 'bad' });
    const inMemory = await journal.outgoing(1, KB * KB);
    await journal.close();
    const fromDisk = await (await load()).outgoing(1, KB * KB);
    expect(inMemory.map(({ message }) => message.kind)).toEqual(['agent-events', 'tombstone']);
    expect(fromDisk.map(({ message }) => message.kind)).toEqual(['agent-events', 'tombstone']);
  });

  it('[link.5] keeps what is not acknowledged, however old and large it is', async () => {
    const journal = await create({ keptMs: 0, keptBytes: 0 });
    for (let n = 1; n <= 60; n += 1) journal.send(notice('x'.repeat(500)));
    await journal.rest();
    expect(await journal.outgoing(1, KB)).toHaveLength(1);
    expect(journal.unacknowledgedBytes).toBeGreaterThan(60 * 500);
  });

  it('[link.5] forgets acknowledged segments that are old', async () => {
    let now = 0;
    const journal = await create({ now: () => now });
    for (let n = 1; n <= 60; n += 1) journal.send(notice('x'.repeat(500)));
    journal.acknowledged(60);
    now = OPTIONS.keptMs + 1;
    await journal.rest();
    expect(await files()).toHaveLength(1);
    expect((await load()).state).toMatchObject({ sent: 60, acked: 60 });
  });

  it('[link.5] forgets the oldest acknowledged segments when there is too much of them', async () => {
    const journal = await create({ keptMs: 1e9 });
    for (let n = 1; n <= 100; n += 1) journal.send(notice('x'.repeat(500)));
    journal.acknowledged(100);
    await journal.rest();
    const sizes = await Promise.all(
      (await files()).map(async (file) => (await readFile(file)).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(OPTIONS.keptBytes);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('[link.1] goes on behind what the hub has, where a cut of power took the end of the journal', async () => {
    const journal = await create();
    await journal.send(notice('one')).written;
    journal.acknowledged(5);
    expect(journal.send(notice('next')).n).toBe(6);
  });

  it('[link.5] writes again what a full disk refused, once, whole and in order', async () => {
    const troubles: unknown[] = [];
    const folder = path.join(scratch.path, 'inner');
    await mkdir(folder);
    const state = newConversationState({ conversationId: id, epoch: 1 });
    const options = { ...OPTIONS, trouble: (error: unknown) => troubles.push(error) };
    const journal = await Journal.create(folder, state, options);
    await journal.close();
    const begun = await readFile(path.join(folder, '00000001-1.log'));
    await rm(folder, { recursive: true });
    const written = journal.send(notice('one')).written;
    while (troubles.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await mkdir(folder);
    await writeFile(path.join(folder, '00000001-1.log'), begun);
    await written;
    await journal.send(notice('two')).written;
    await journal.close();
    expect((await Journal.load(folder, OPTIONS))?.state.sent).toBe(2);
  });

  it('[link.5] holds no open file at rest', async () => {
    const journal = await create();
    await journal.send(notice('one')).written;
    expect(journal.isOpen).toBe(true);
    await journal.rest();
    expect(journal.isOpen).toBe(false);
  });

  it('[quality] begins a segment at rest, so that the next life reads little', async () => {
    const journal = await create();
    for (let n = 1; n <= 8; n += 1) journal.send(notice('x'.repeat(400)));
    journal.acknowledged(8);
    await journal.rest();
    expect((await readFile(await newest())).length).toBeLessThan(KB);
    expect((await load()).state).toEqual(journal.state);
  });
});
