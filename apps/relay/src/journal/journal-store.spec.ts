import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationId } from '#contracts';
import { JournalRig, SMALL, damage, notice } from '../../../../test/support/relay/journal-rig.js';
import { JournalStore, type JournalStoreOptions } from './journal-store.js';
import type { Journal } from './journal.js';

let rig: JournalRig;
const stores: JournalStore[] = [];
beforeEach(async () => {
  rig = await JournalRig.make();
});
afterEach(async () => {
  rig.disk.mend();
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await rig.close();
});

function aStore(changed: Partial<JournalStoreOptions> = {}): JournalStore {
  const store = new JournalStore(rig.home, rig.options(changed));
  stores.push(store);
  return store;
}

const another = (): { conversationId: ConversationId; epoch: number } => ({
  conversationId: ConversationId.parse(randomUUID()),
  epoch: 1,
});

/** A life of a relay with these journals, one message in each. */
async function aLife(
  ...places: { conversationId: ConversationId; epoch: number }[]
): Promise<void> {
  const store = aStore();
  await store.loadAll();
  for (const place of places) {
    await (await store.create(place)).send(notice('one')).written;
  }
  await store.close();
}

const aside = (): Promise<string[]> => readdir(path.join(rig.home, 'journals-put-aside'));
const sizes = (journals: readonly Journal[]): number[] => journals.map(({ state }) => state.sent);

describe('the journals of a relay', () => {
  it('[link.5] are all taken up but the one that can not be read, which is kept', async () => {
    await aLife(another(), rig.place, another());
    rig.disk.faults = [{ call: 'list', at: rig.folder, code: 'EACCES' }];
    const loaded = await aStore().loadAll();
    expect(sizes(loaded).sort()).toEqual([0, 1, 1]);
    expect(await aside()).toEqual([expect.stringContaining(`${rig.id}@1.`)]);
    expect(rig.damages).toEqual([path.basename(rig.folder)]);
  });

  it('[link.5] are put aside where they have no good beginning, and never removed', async () => {
    await aLife(rig.place);
    for (const text of ['{"r":"begin"', '{"r":"out"']) {
      await damage(await rig.newest(), text, text.replace('r', 'R'));
    }
    const [journal] = await aStore().loadAll();
    expect(journal?.state).toMatchObject({ ...rig.place, sent: 0 });
    const [kept = ''] = await aside();
    expect(await readdir(path.join(rig.home, 'journals-put-aside', kept))).toHaveLength(1);
  });

  it('[link.5] keep a file of theirs aside in which nothing can be read', async () => {
    await aLife(rig.place);
    await writeFile(path.join(rig.folder, '00000002-2.log'), 'deadbeef {"r":"beg');
    const [journal] = await aStore().loadAll();
    expect(journal?.state).toMatchObject({ sent: 1 });
    expect(await aside()).toEqual([expect.stringContaining('00000002-2.log')]);
  });

  it('[link.5] are begun as soon as the disk takes them', async () => {
    const store = aStore();
    await store.loadAll();
    rig.disk.faults = [
      { call: 'makeFolder', code: 'EACCES', times: 1 },
      { call: 'append', code: 'ENOSPC', partly: 5, times: 1 },
      { call: 'rename', code: 'EIO', times: 1 },
    ];
    const journal = await store.create(rig.place);
    expect(rig.troubles).toHaveLength(3);
    await journal.send(notice('one')).written;
    await store.close();
    expect(await readdir(path.join(rig.home, 'journals'))).toEqual([path.basename(rig.folder)]);
    expect(sizes(await aStore().loadAll())).toEqual([1]);
  });

  it('[link.5] keep no relay from stopping that could not begin one', async () => {
    const store = aStore({ retryWriteMs: 3_600_000 });
    await store.loadAll();
    rig.disk.faults = [{ call: 'makeFolder', code: 'ENOSPC' }];
    const made = store.create(rig.place);
    await rig.disk.failed(1);
    store.stopCreating();
    await expect(made).rejects.toThrow();
  });

  it('[link.5] never begin over one that stands there', async () => {
    await aLife(rig.place);
    const store = aStore();
    await store.create({ ...rig.place, sent: 7, received: 3 });
    expect(await aside()).toHaveLength(1);
    await store.close();
    expect(sizes(await aStore().loadAll())).toEqual([7]);
  });

  it('[quality] rest one by one, whatever holds up another', async () => {
    const store = aStore();
    const [stuck, fails, well] = [
      await store.create(rig.place),
      await store.create(another()),
      await store.create(another()),
    ];
    for (const journal of [stuck, fails, well])
      await journal.send(notice('x'.repeat(4_000))).written;
    rig.disk.faults = [
      {
        call: 'append',
        at: path.join(path.basename(stuck.folder), '00000002-2.log'),
        code: 'ENOSPC',
      },
      { call: 'remove', at: path.join(path.basename(fails.folder), '00000002-2.log'), code: 'EIO' },
    ];
    const closed = async (): Promise<void> => {
      while (well.isOpen) await new Promise((next) => setImmediate(next));
    };
    void store.sweep(() => true);
    await closed();
    // And those that hang are no burden to the next sweep.
    await well.send(notice('two')).written;
    void store.sweep(() => true);
    await closed();
    expect([stuck.isOpen, well.isOpen]).toEqual([false, false]);
  });

  it('[quality] keep no relay from stopping whose disk is full', async () => {
    const store = aStore();
    const journal = await store.create(rig.place);
    rig.disk.faults = [{ call: 'append', code: 'ENOSPC' }];
    void journal.send(notice('one')).written;
    await store.close();
    expect(journal.isOpen).toBe(false);
  });

  it('[link.5] give back the file of one that was woken while it went to rest', async () => {
    const store = aStore();
    const journal = await store.create(rig.place);
    await journal.send(notice('one')).written;
    const resting = store.sweep(() => true);
    await journal.send(notice('two')).written;
    await resting;
    await store.sweep(() => true);
    expect(journal.isOpen).toBe(false);
  });
});

describe('what is kept of journals', () => {
  it('[link.5] is bounded while a conversation is awake', async () => {
    const store = aStore({ keptMs: 1e9 });
    const journal = await store.create(rig.place);
    for (let n = 1; n <= 200; n += 1) {
      const { written } = journal.send(notice('x'.repeat(500)));
      if (n % 10 > 0) continue;
      await written;
      journal.acknowledged(n);
    }
    const files = await rig.files();
    expect(files.length * SMALL.segmentBytes).toBeLessThanOrEqual(
      SMALL.keptBytes + 3 * SMALL.segmentBytes,
    );
  });

  it('[link.5] is forgotten in time though the conversation rests', async () => {
    let now = Date.now();
    const store = aStore({ now: () => now, lookOverMs: 60_000, keptMs: 3_600_000 });
    const journal = await store.create(rig.place);
    for (let n = 1; n <= 20; n += 1) await journal.send(notice('x'.repeat(500))).written;
    journal.acknowledged(20);
    await store.sweep(() => true);
    expect((await rig.files()).length).toBeGreaterThan(1);
    now += 3_600_001;
    await store.sweep(() => true);
    expect(await rig.files()).toHaveLength(1);
  });

  it('[link.5] counts from when it was put aside', async () => {
    let now = Date.now();
    const store = aStore({ now: () => now, keptMs: 3_600_000, lookOverMs: 60_000 });
    const journal = await store.create(rig.place);
    await utimes(rig.folder, 1, 1);
    await store.putAside(journal);
    now += 60_001;
    await store.sweep(() => true);
    expect(await aside()).toHaveLength(1);
    now += 3_600_000;
    await store.sweep(() => true);
    expect(await aside()).toEqual([]);
  });

  it('[link.5] has what an older version put aside for its time as well', async () => {
    const store = aStore({ now: () => Date.now() + 3_600_000, keptMs: 60_000 });
    await mkdir(path.join(rig.home, 'journals-put-aside', `${rig.id}@1.${randomUUID()}`), {
      recursive: true,
    });
    await store.loadAll();
    expect(await aside()).toEqual([]);
  });
});
