import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JournalRig, allOutgoing, notice } from '../../../../test/support/relay/journal-rig.js';
import type { Journal } from './journal.js';

const STOP = { kind: 'interrupt' } as const;
const SEGMENT = '00000001-1.log';

let rig: JournalRig;
beforeEach(async () => {
  rig = await JournalRig.make();
});
afterEach(() => rig.close());

/** A journal whose making is no part of what is looked at. */
async function aJournal(changed: Parameters<JournalRig['create']>[0] = {}): Promise<Journal> {
  const journal = await rig.create(changed);
  rig.disk.calls.length = 0;
  return journal;
}

/** Keeps every sync waiting until it is let go. */
function holdSyncs(): () => void {
  let letGo = (): void => undefined;
  rig.disk.syncsAfter = new Promise((resolve) => (letGo = resolve));
  return letGo;
}

const afterPowerCut = async (): Promise<Journal> => {
  await rig.disk.cutPower();
  return rig.load();
};

describe('a journal on its disk', () => {
  it("[link.5] writes and syncs a message of the hub's before it may be acknowledged", async () => {
    const journal = await aJournal();
    await journal.receive(1, STOP).then(() => rig.disk.calls.push('acknowledged'));
    expect(rig.disk.calls).toEqual([`append ${SEGMENT}`, `datasync ${SEGMENT}`, 'acknowledged']);
  });

  it('[link.4] has an attempt on the disk before it may be made', async () => {
    const journal = await aJournal();
    const attempt = { way: 'tool', possibleRepeat: false } as const;
    await journal.attempt(1, attempt).then(() => rig.disk.calls.push('made'));
    expect(rig.disk.calls).toEqual([`append ${SEGMENT}`, `datasync ${SEGMENT}`, 'made']);
  });

  it('[link.1] sends nothing that a cut of power would take back', async () => {
    const journal = await aJournal();
    const letGo = holdSyncs();
    const { written } = journal.send(notice('one'));
    expect([await journal.outgoing(1, 1e6), journal.kept.sent]).toEqual([[], 0]);
    letGo();
    await written;
    expect([(await journal.outgoing(1, 1e6)).length, journal.kept.sent]).toEqual([1, 1]);
    expect((await afterPowerCut()).state.sent).toBe(1);
  });

  it('[link.1] tells the hub on attaching of no message that is not on the disk', async () => {
    const journal = await aJournal();
    const letGo = holdSyncs();
    const received = journal.receive(1, STOP);
    expect([journal.state.received, journal.kept.received]).toEqual([1, 0]);
    letGo();
    await received;
    expect(journal.kept.received).toBe(1);
  });

  it('[link.1] brings to the disk what a killed relay had only written, before any of it is sent', async () => {
    const journal = await aJournal();
    const letGo = holdSyncs();
    void journal.send(notice('one'));
    while (rig.disk.calls.length === 0) await new Promise((next) => setImmediate(next));
    // Nothing was synced and nothing was closed: this is what a killed relay leaves.
    rig.disk.syncsAfter = undefined;
    rig.disk.calls.length = 0;
    expect((await rig.load()).kept.sent).toBe(1);
    expect(rig.disk.calls).toEqual([`datasync ${SEGMENT}`]);
    letGo();
  });

  it('[quality] shares one sync among all that wait for it', async () => {
    const journal = await aJournal({ segmentBytes: 1e6 });
    const all = Array.from({ length: 100 }, (_, at) => journal.send(notice(`${at}`)).written);
    await Promise.all(all);
    expect(rig.disk.calls).toEqual([`append ${SEGMENT}`, `datasync ${SEGMENT}`]);
  });

  it('[link.5] takes a failed sync for what it is: nothing is acknowledged until it is truly on the disk', async () => {
    const journal = await aJournal();
    await journal.receive(1, STOP);
    rig.disk.faults = [{ call: 'datasync', code: 'EIO', times: 3 }];
    let acknowledged = false;
    const received = journal.receive(2, STOP).then(() => (acknowledged = true));
    await rig.disk.failed(3);
    expect(acknowledged).toBe(false);
    await received;
    // The file that was lost its pages stands no more: a sync of it that succeeds brings nothing back.
    expect((await afterPowerCut()).state.received).toBe(2);
    expect(rig.troubles).toHaveLength(3);
  });

  it('[link.5] goes on in the new file after a failed sync', async () => {
    const journal = await aJournal();
    rig.disk.faults = [{ call: 'datasync', code: 'EIO', times: 1 }];
    for (const text of ['one', 'two']) await journal.send(notice(text)).written;
    await journal.close();
    expect(await allOutgoing(await afterPowerCut())).toHaveLength(2);
    expect(await rig.files()).toHaveLength(1);
  });

  it('[link.5] tries again where the new file can not be put in place', async () => {
    const journal = await aJournal();
    await journal.send(notice('one')).written;
    rig.disk.faults = [
      { call: 'datasync', code: 'EIO', times: 1 },
      { call: 'rename', code: 'EIO', times: 1 },
      { call: 'syncFolder', code: 'EIO', times: 1 },
    ];
    await journal.send(notice('two')).written;
    expect((await afterPowerCut()).state.sent).toBe(2);
    expect(rig.troubles).toHaveLength(3);
  });

  it('[link.5] writes what a full disk took a part of once, whole and in order', async () => {
    const journal = await aJournal();
    await journal.send(notice('one')).written;
    rig.disk.faults = [{ call: 'append', code: 'ENOSPC', partly: 20, times: 2 }];
    const written = [journal.send(notice('two')).written, journal.send(notice('three')).written];
    await Promise.all(written);
    await journal.close();
    const lines = (await readFile(await rig.newest(), 'utf8')).split('\n').slice(0, -1);
    expect(lines.map((line) => line.slice(9, 19))).toEqual([
      '{"r":"begi',
      ...['1', '2', '3'].map(() => '{"r":"out"'),
    ]);
    expect((await rig.load()).state).toMatchObject({ sent: 3 });
  });

  it('[link.5] leaves no half line where the relay dies on a full disk', async () => {
    const journal = await aJournal();
    await journal.send(notice('one')).written;
    rig.disk.faults = [{ call: 'append', code: 'ENOSPC', partly: 20 }];
    void journal.send(notice('two')).written;
    await rig.disk.failed(2);
    await journal.abandon();
    const again = await rig.load();
    expect(again.state).toMatchObject({ sent: 1 });
    expect(again.state.damaged).toBeUndefined();
  });

  it('[link.5] begins a segment once the disk takes it, with nothing lost in between', async () => {
    const journal = await aJournal({ keptBytes: 1e9 });
    rig.disk.faults = [
      { call: 'append', at: '/00000002-', code: 'ENOSPC', partly: 9, times: 1 },
      { call: 'datasync', at: '/00000002-', code: 'EIO', times: 1 },
      { call: 'syncFolder', code: 'EIO', times: 1 },
    ];
    for (let n = 1; n <= 20; n += 1) await journal.send(notice('x'.repeat(400))).written;
    expect(rig.troubles.length).toBeGreaterThan(1);
    const again = await afterPowerCut();
    expect(await allOutgoing(again)).toHaveLength(20);
    expect(again.state.damaged).toBeUndefined();
  });

  it('[link.5] acknowledges nothing of a journal that was given up', async () => {
    const journal = await aJournal();
    rig.disk.faults = [{ call: 'append', code: 'ENOSPC' }];
    let acknowledged = false;
    void journal.receive(1, STOP).then(() => (acknowledged = true));
    await rig.disk.failed(1);
    await journal.abandon();
    expect([acknowledged, journal.kept.received]).toEqual([false, 0]);
  });

  it('[quality] reads a segment once, however many frames it is sent in', async () => {
    await rig.create({ segmentBytes: 1e6 }).then(async (journal) => {
      for (let n = 1; n <= 200; n += 1) journal.send(notice(`${n} ${'x'.repeat(1_000)}`));
      await journal.close();
    });
    const journal = await rig.load({ segmentBytes: 1e6 });
    rig.disk.reads.length = 0;
    expect(await allOutgoing(journal, 10_000)).toHaveLength(200);
    const size = (await readFile(await rig.newest())).length;
    const read = rig.disk.reads.reduce((sum, bytes) => sum + bytes, 0);
    // Once to find where everything stands, once to send it.
    expect(read).toBeLessThanOrEqual(2 * size);
  });
});
