import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MessageId, ToolCallId, type HubMessage } from '#contracts';
import {
  JournalRig,
  allOutgoing,
  damage,
  notice,
} from '../../../../test/support/relay/journal-rig.js';
import { anAnswer } from '../../../../test/support/relay/relay-stage.js';
import { Journal } from './journal.js';

const FORTY = Array.from({ length: 40 }, (_, at) => at + 1);
const CALL = ToolCallId.parse('toolu_1');

let rig: JournalRig;
beforeEach(async () => {
  rig = await JournalRig.make();
});
afterEach(() => rig.close());

const aMessage = (text: string): HubMessage => ({
  kind: 'send-message',
  messageId: MessageId.parse(randomUUID()),
  text,
});

const lostIn = async (journal: Journal): Promise<number[]> =>
  (await allOutgoing(journal)).flatMap(({ n, kind }) => (kind === 'tombstone' ? [n] : []));

describe('a journal that was damaged', () => {
  it('[link.6] sends a tombstone for a message that is lost, and every number of those around it', async () => {
    await rig.fortyMessages();
    const [oldest = ''] = await rig.files();
    await damage(oldest, 'message 4.', 'massage 4.');
    const journal = await rig.load();
    expect((await allOutgoing(journal)).map(({ n }) => n)).toEqual(FORTY);
    expect(await lostIn(journal)).toEqual([4]);
  });

  it('[link.6] sends tombstones for a file that is gone', async () => {
    await rig.fortyMessages();
    const [, second = '', third = ''] = await rig.files();
    await rm(second);
    const first = (file: string): number => Number(/-(\d+)\.log$/.exec(file)?.[1]);
    const journal = await rig.load();
    const gone = FORTY.filter((n) => n >= first(second) && n < first(third));
    expect((await allOutgoing(journal)).map(({ n }) => n)).toEqual(FORTY);
    expect(await lostIn(journal)).toEqual(gone);
  });

  it('[link.6] sends tombstones for a file that can not be read any more', async () => {
    await rig.fortyMessages();
    const journal = await rig.load();
    const [oldest = ''] = await rig.files();
    rig.disk.faults = [{ call: 'read', at: path.basename(oldest), code: 'EIO' }];
    expect((await allOutgoing(journal)).map(({ n }) => n)).toEqual(FORTY);
    expect(rig.damages[0]).toBe(path.basename(oldest));
  });

  it('[link.6] takes no message for lost that can be read a little later', async () => {
    await rig.fortyMessages();
    const journal = await rig.load();
    rig.disk.faults = [{ call: 'read', code: 'EMFILE', times: 1 }];
    await expect(journal.outgoing(1, 1e6)).rejects.toThrow('EMFILE');
    expect(await lostIn(journal)).toEqual([]);
  });

  it('[link.1] goes on at its own last number where the beginning of the newest file is damaged', async () => {
    await rig.fortyMessages();
    const newest = await rig.newest();
    await damage(newest, '{"r":"begin"', '{"r":"bogin"');
    const journal = await rig.load();
    expect(journal.state).toMatchObject({ sent: 40, damaged: true });
    expect(await lostIn(journal)).toEqual([]);
    expect(await rig.files()).toContain(newest);
  });

  it('[link.1] goes on at its own last number where nothing of the newest file can be read', async () => {
    await rig.fortyMessages();
    const newest = await rig.newest();
    const first = Number(/-(\d+)\.log$/.exec(newest)?.[1]);
    rig.disk.faults = [{ call: 'read', at: path.basename(newest), code: 'EIO' }];
    const journal = await rig.load();
    expect(journal.state).toMatchObject({ sent: first - 1, damaged: true });
  });

  it('[link.5] keeps what follows a damaged line, and says that it was damaged', async () => {
    const journal = await rig.create();
    for (const text of ['one', 'two', 'three']) journal.send(notice(text));
    await journal.close();
    await damage(await rig.newest(), '"two"', '"2wo"');
    const again = await rig.load();
    expect(again.state).toMatchObject({ sent: 3, damaged: true });
    expect(await lostIn(again)).toEqual([2]);
  });

  it('[link.5] says so once, in whichever life a person can be told', async () => {
    await rig.fortyMessages();
    await damage(await rig.newest(), 'message 40.', 'massage 40.');
    await damage(await rig.newest(), 'message 38.', 'massage 38.');
    await (await rig.load()).close();
    const again = await rig.load();
    expect(again.state.damaged).toBe(true);
    again.damageTold();
    await again.close();
    expect((await rig.load()).state.damaged).toBeUndefined();
  });

  it("[link.1] takes a message of the hub's again that was lost, and none of those that were not", async () => {
    const journal = await rig.create();
    await journal.receive(1, aMessage('one'));
    await journal.receive(2, aMessage('two'));
    await journal.receive(3, aMessage('three'));
    await journal.close();
    await damage(await rig.newest(), '"two"', '"2wo"');
    const again = await rig.load();
    expect(again.kept.received).toBe(1);
    await again.receive(2, aMessage('two'));
    expect(again.state.received).toBe(3);
    const texts = again.state.work.map((work) => (work.kind === 'message' ? work.text : ''));
    expect(texts).toEqual(['one', 'three', 'two']);
  });

  it('[link.1] goes on behind what the hub does not have any more, and tells how much it missed', async () => {
    const journal = await rig.create();
    await journal.receive(1, aMessage('one'));
    await journal.receive(2, aMessage('two'));
    await journal.receive(3, aMessage('three'));
    await journal.close();
    await damage(await rig.newest(), '"two"', '"2wo"');
    const again = await rig.load();
    expect(again.skip(5)).toBe(3);
    expect(again.state.received).toBe(5);
    await again.close();
    expect((await rig.load()).state.received).toBe(5);
  });

  it('[link.4] asks about everything that it may have handed over', async () => {
    const journal = await rig.create();
    await journal.receive(1, anAnswer(CALL));
    await journal.receive(2, aMessage('two'));
    await journal.attempt(1, { way: 'tool', possibleRepeat: false });
    journal.send(notice('later'));
    await journal.close();
    await damage(await rig.newest(), '"attempt"', '"attampt"');
    const { work } = (await rig.load()).state;
    expect(work.map(({ attempt }) => attempt?.way)).toEqual(['tool', 'message']);
  });

  it('[C12] lets a question be asked again of which nobody knows whether the hub has it', async () => {
    const journal = await rig.create();
    journal.send({ kind: 'ask', toolCallId: CALL, questions: [] });
    expect(journal.state.waiting).toEqual([CALL]);
    journal.damageTold();
    expect(journal.state.waiting).toEqual([]);
  });

  it('[link.1] says again what was taken for something that the hub had already', async () => {
    const journal = await rig.create();
    journal.send(notice('one'));
    journal.send(notice('two'));
    await journal.overtaken(5);
    expect(journal.state).toMatchObject({ sent: 7, acked: 5 });
    const again = await journal.outgoing(6, 1e6);
    expect(again.map(({ n, message }) => [n, message])).toEqual([
      [6, notice('one')],
      [7, notice('two')],
    ]);
    await journal.close();
    expect((await rig.load()).state).toEqual(journal.state);
  });

  it('[link.5] is whole where the newest segment was only begun', async () => {
    const journal = await rig.create();
    await journal.send(notice('one')).written;
    await journal.close();
    await appendFile(path.join(rig.folder, '00000002-2.log'), 'deadbeef {"r":"beg');
    const again = await rig.load();
    expect(again.state.sent).toBe(1);
    expect(again.state.damaged).toBeUndefined();
  });

  it('[link.5] takes up what can be read where its only beginning is damaged', async () => {
    const journal = await rig.create();
    await journal.send(notice('one')).written;
    await journal.close();
    await damage(await rig.newest(), '{"r":"begin"', '{"r":"bogin"');
    expect((await rig.load()).state).toMatchObject({ ...rig.place, sent: 1, damaged: true });
  });

  it('[link.5] is none where nothing can be read, and its files stay as they are', async () => {
    await rig.create();
    const file = await rig.newest();
    const { length } = await readFile(file);
    await damage(file, '{"r":"begin"', '{"r":"bogin"');
    expect(await Journal.load(rig.folder, rig.place, rig.options())).toBeUndefined();
    expect(await readFile(file)).toHaveLength(length);
  });
});
