import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProviderId, type AgentEvent, type ConversationId, type HubMessage } from '#contracts';
import { FaultyDisk } from '../../../../test/support/relay/faulty-disk.js';
import { JournalRig } from '../../../../test/support/relay/journal-rig.js';
import type { PuppetSession } from '../../../../test/support/relay/puppet-driver.js';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';
import { JournalStore } from '../journal/journal-store.js';
import type { RelayLimits } from '../relay-limits.js';
import type { ConversationHost } from './conversation-host.js';
import { Conversations } from './conversations.js';

const ASSIGN: HubMessage = {
  kind: 'assign',
  session: { provider: ProviderId.parse('puppet'), folder: '/tmp', mode: 'ask', modeVersion: 1 },
};

describe('a message of the hub', () => {
  let rig: JournalRig;
  beforeEach(async () => {
    rig = await JournalRig.make();
  });
  afterEach(() => rig.close());

  it('[link.1] is acknowledged behind its sync, and no sooner', async () => {
    let told = (): void => undefined;
    const acknowledged = (): Promise<void> => new Promise((resolve) => (told = resolve));
    const host = {
      received: ({ n }: { n: number }) => {
        rig.disk.calls.push(`acknowledged ${n}`);
        told();
      },
      written: () => undefined,
      times: { idleMs: 1_000 },
    } satisfies Partial<Record<keyof ConversationHost, unknown>> as unknown as ConversationHost;
    const store = new JournalStore(rig.home, rig.options());
    const conversations = new Conversations(store, host);
    await conversations.load();
    const first = acknowledged();
    conversations.receive({ conversationId: rig.id, epoch: 1, n: 1, message: ASSIGN });
    await first;
    rig.disk.calls.length = 0;
    const second = acknowledged();
    const message = { kind: 'set-mode', mode: 'plan', modeVersion: 2 } as const;
    conversations.receive({ conversationId: rig.id, epoch: 1, n: 2, message });
    await second;
    expect(rig.disk.calls.slice(0, 3)).toEqual([
      'append 00000001-1.log',
      'datasync 00000001-1.log',
      'acknowledged 2',
    ]);
    await store.close();
  });
});

describe('a relay whose disk fails', () => {
  let stage: RelayStage;
  let disk: FaultyDisk;
  beforeEach(() => {
    disk = new FaultyDisk();
  });
  afterEach(async () => {
    disk.mend();
    await stage.close();
  });

  const aStage = async (limits: Partial<RelayLimits> = {}): Promise<void> => {
    stage = await makeRelayStage({ disk, limits: { retryWriteMs: 5, ...limits } });
  };

  const eventsOf = (id: ConversationId): AgentEvent[] =>
    stage.hub.all(id, 'agent-events').flatMap(({ events }) => events);
  const said = (id: ConversationId, text: string): Promise<void> =>
    stage.hub.until(() =>
      eventsOf(id).some((event) => event.kind === 'text' && event.text === text),
    );
  const noticed = (id: ConversationId, code: string): Promise<void> =>
    stage.hub.until(() =>
      eventsOf(id).some((event) => event.kind === 'notice' && event.code === code),
    );
  const damageTold = (id: ConversationId): Promise<void> => noticed(id, 'journal-damaged');
  const folderOf = (id: ConversationId): string => path.join(stage.home, 'journals', `${id}@1`);

  async function anAgent(nth = 0): Promise<{ id: ConversationId; session: PuppetSession }> {
    const id = stage.hub.assign();
    stage.hub.say(id, 'Hello');
    const session = await stage.driver.session(nth);
    await stage.hub.nth(id, 'message-picked-up');
    return { id, session };
  }

  const say = (session: PuppetSession, text: string): void => {
    const turnId = session.beginTurn();
    session.sink.event({ kind: 'text', turnId, blockId: text, text });
    session.endTurn(turnId);
  };

  it('[link.5] asks for a journal that can not be made now and then, not all the time', async () => {
    await aStage({ retryWriteMs: 3_600_000 });
    let failures = 0;
    const count = disk.failure.bind(disk);
    disk.failure = (fault) => {
      failures += 1;
      return count(fault);
    };
    disk.faults = [{ call: 'makeFolder', code: 'EACCES' }];
    const id = stage.hub.assign();
    stage.hub.say(id, 'Hello');
    await disk.failed(1);
    for (let turn = 0; turn < 500; turn += 1) await new Promise((next) => setImmediate(next));
    expect(failures).toBe(1);
  });

  it('[link.5] takes up what waited once a journal can be made', async () => {
    await aStage();
    disk.faults = [{ call: 'makeFolder', code: 'ENOSPC', times: 2 }];
    await anAgent();
    expect(disk.faults[0]?.times).toBe(0);
  });

  it('[link.1] loses no word of its own where the hub has more than its journal', async () => {
    await aStage();
    const { id, session } = await anAgent();
    session.beginTurn();
    await stage.hub.nth(id, 'agent-events');
    say(session, 'one');
    await said(id, 'one');
    await stage.hub.stop();
    await stage.relay.stop();
    const [file = ''] = await readdir(folderOf(id));
    const whole = await readFile(path.join(folderOf(id), file), 'utf8');
    // As if power was cut on a disk that had only said that it had everything: in the middle of the first turn.
    const end = whole.indexOf('\n', whole.indexOf('"turn-started"')) + 1;
    await writeFile(path.join(folderOf(id), file), whole.slice(0, end));
    await stage.hub.start();
    await stage.restart();
    await damageTold(id);
    await noticed(id, 'relay-restarted');
    stage.hub.say(id, 'Go on');
    say(await stage.driver.session(1), 'two');
    await said(id, 'two');
  });

  it("[link.1] goes on behind the hub's messages that it lost, and says so", async () => {
    await aStage();
    const { id } = await anAgent();
    stage.hub.say(id, 'Lost');
    await stage.hub.nth(id, 'message-picked-up', 1);
    await stage.relay.stop();
    const [file = ''] = await readdir(folderOf(id));
    const whole = await readFile(path.join(folderOf(id), file), 'utf8');
    await writeFile(
      path.join(folderOf(id), file),
      `${whole.slice(0, whole.indexOf('"text":"Lost"')).split('\n').slice(0, -1).join('\n')}\n`,
    );
    await stage.restart();
    await damageTold(id);
    stage.hub.say(id, 'Go on');
    const resumed = await stage.driver.session(1);
    expect((await resumed.message(0)).text).toBe('Go on');
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
  });

  it('[link.5] starts though a journal can not be read, tells it there, and goes on with the others', async () => {
    await aStage();
    const { id: broken } = await anAgent();
    const { id: well } = await anAgent(1);
    await stage.relay.stop();
    disk.faults = [{ call: 'list', at: `${broken}@1`, code: 'EIO' }];
    await stage.restart();
    await damageTold(broken);
    stage.hub.say(well, 'Go on');
    expect((await (await stage.driver.session(2)).message(0)).text).toBe('Go on');
    stage.hub.say(broken, 'Go on');
    await stage.hub.until(() =>
      eventsOf(broken).some(
        (event) => event.kind === 'turn-ended' && event.failure?.code === 'journal-lost',
      ),
    );
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(broken));
  });

  it('[link.1] tells of a journal that is gone altogether, and numbers on where the hub is', async () => {
    await aStage();
    const { id } = await anAgent();
    await stage.relay.stop();
    await rm(folderOf(id), { recursive: true });
    stage.hub.say(id, 'Go on');
    await stage.restart();
    await damageTold(id);
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
  });

  it('[link.1] sends what others have to say while one journal can not be read', async () => {
    await aStage({ tailBytes: 0 });
    const { id: one, session: first } = await anAgent();
    const { id: other, session: second } = await anAgent(1);
    disk.faults = [{ call: 'read', at: `${one}@1`, code: 'EMFILE' }];
    for (let line = 0; line < 20; line += 1) say(first, `line ${line}`);
    await disk.failed(1);
    say(second, 'heard');
    await said(other, 'heard');
  });

  it('[link.5] acknowledges that a conversation was deleted though its disk is full', async () => {
    await aStage();
    const { id } = await anAgent();
    disk.faults = [{ call: 'append', code: 'ENOSPC' }];
    stage.hub.give(id, { kind: 'forget' });
    await stage.hub.until(() => stage.hub.hasAllAcknowledged(id));
    expect(await readdir(path.join(stage.home, 'journals'))).toEqual([]);
  });
});
