import { readFile, truncate } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MessageId, ProviderId, ToolCallId, TurnId } from '#contracts';
import { MACHINE_DISK } from '../disk/disk.js';
import {
  JournalRig,
  SMALL,
  allOutgoing,
  notice,
} from '../../../../test/support/relay/journal-rig.js';
import { anAnswer } from '../../../../test/support/relay/relay-stage.js';
import type { Journal } from './journal.js';
import { readSegment } from './segment-files.js';

const KB = 1024;
const CALL = ToolCallId.parse('toolu_1');
const TURN = TurnId.parse(randomUUID());

let rig: JournalRig;
beforeEach(async () => {
  rig = await JournalRig.make();
});
afterEach(() => rig.close());

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
    const journal = await rig.create();
    await aLife(journal);
    await journal.close();
    expect((await rig.load()).state).toEqual(journal.state);
  });

  it('[link.4] has the attempt that was made before a crash', async () => {
    await aLife(await rig.create());
    // Nothing was closed: this is what a killed relay leaves.
    const [work] = (await rig.load()).state.work;
    expect(work?.attempt).toEqual({ way: 'tool', possibleRepeat: false });
  });

  it('[link.5] drops a last line that was cut off in the middle, and goes on from the one before', async () => {
    const journal = await rig.create();
    journal.send(notice('first'));
    await journal.send(notice('second')).written;
    await journal.close();
    const file = await rig.newest();
    await truncate(file, (await readFile(file)).length - 7);
    const again = await rig.load();
    expect(again.state.sent).toBe(1);
    await again.send(notice('after')).written;
    await again.close();
    expect((await rig.load()).state.sent).toBe(2);
    expect((await readSegment(MACHINE_DISK, file)).goodBytes).toBe((await readFile(file)).length);
  });

  it('[link.1] reads messages back from the disk that are not in memory any more, in order', async () => {
    const journal = await rig.create();
    for (let n = 1; n <= 60; n += 1) journal.send(notice(`message ${n} ${'x'.repeat(200)}`));
    await journal.close();
    const again = await rig.load();
    const read = (await allOutgoing(again)).map(({ n }) => n);
    expect(read).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect((await rig.files()).length).toBeGreaterThan(2);
  });

  it('[link.6] has a tombstone in place of what was buried, from memory and from the disk', async () => {
    const journal = await rig.create();
    journal.send(notice('good'));
    journal.send(notice('bad'));
    await journal.bury(2, { kind: 'tombstone', what: 'agent-events', reason: 'bad' });
    const inMemory = await journal.outgoing(1, KB * KB);
    await journal.close();
    const fromDisk = await (await rig.load()).outgoing(1, KB * KB);
    expect(inMemory.map(({ message }) => message.kind)).toEqual(['agent-events', 'tombstone']);
    expect(fromDisk.map(({ message }) => message.kind)).toEqual(['agent-events', 'tombstone']);
  });

  it('[link.5] keeps what is not acknowledged, however old and large it is', async () => {
    const journal = await rig.create({ keptMs: 0, keptBytes: 0 });
    for (let n = 1; n <= 60; n += 1) journal.send(notice('x'.repeat(500)));
    await journal.rest();
    expect(await journal.outgoing(1, KB)).toHaveLength(1);
    expect(journal.unacknowledgedBytes).toBeGreaterThan(60 * 500);
  });

  it('[link.5] forgets acknowledged segments that are old', async () => {
    let now = 0;
    const journal = await rig.create({ now: () => now });
    for (let n = 1; n <= 60; n += 1) journal.send(notice('x'.repeat(500)));
    journal.acknowledged(60);
    now = SMALL.keptMs + 1;
    await journal.rest();
    expect(await rig.files()).toHaveLength(1);
    expect((await rig.load()).state).toMatchObject({ sent: 60, acked: 60 });
  });

  it('[link.5] forgets the oldest acknowledged segments when there is too much of them', async () => {
    const journal = await rig.create({ keptMs: 1e9 });
    for (let n = 1; n <= 100; n += 1) journal.send(notice('x'.repeat(500)));
    journal.acknowledged(100);
    await journal.rest();
    const sizes = await Promise.all(
      (await rig.files()).map(async (file) => (await readFile(file)).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(SMALL.keptBytes);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('[link.5] holds no open file at rest', async () => {
    const journal = await rig.create();
    await journal.send(notice('one')).written;
    expect(journal.isOpen).toBe(true);
    await journal.rest();
    expect(journal.isOpen).toBe(false);
  });

  it('[quality] begins a segment at rest, so that the next life reads little', async () => {
    const journal = await rig.create();
    for (let n = 1; n <= 8; n += 1) journal.send(notice('x'.repeat(400)));
    journal.acknowledged(8);
    await journal.rest();
    expect((await readFile(await rig.newest())).length).toBeLessThan(KB);
    expect((await rig.load()).state).toEqual(journal.state);
  });
});
