import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConversationId, GiveAnswer, RelayMessageOf } from '#contracts';
import { identifyProcess } from '#provider-kit';
import { ChildRegistry } from '../../apps/relay/src/processes/child-registry.js';
import { readRecord, type Recorded } from '../support/relay/recorded-driver.js';
import { anAnswer } from '../support/relay/relay-stage.js';
import { SmallHub } from '../support/relay/small-hub.js';
import { makeScratchFolder, type ScratchFolder } from '../support/scratch-folder.js';
import { startTypeScript, type TypeScriptProcess } from '../support/typescript-process.js';

const MINUTE = 60_000;
const KILLS = 12;
const CONVERSATIONS = 6;

let scratch: ScratchFolder;
let hub: SmallHub;
let relay: TypeScriptProcess;
const home = (): string => path.join(scratch.path, 'relay');

beforeEach(async () => {
  scratch = await makeScratchFolder();
  hub = await new SmallHub().start();
  await startRelay();
});
afterEach(async () => {
  await relay.kill('SIGTERM');
  // This program does not stop in order; what it leaves is the next life's to stop, here ours.
  for (const { pid } of clients()) killGroup(pid);
  await hub.stop();
  await scratch.remove();
});

async function startRelay(): Promise<void> {
  const args = [hub.url, home(), path.join(scratch.path, 'relay.pem')];
  relay = startTypeScript({ program: 'support/programs/recorded-relay.ts', args });
  expect(await relay.next()).toBe('started');
}

const clients = (): { pid: number; start: string }[] =>
  ChildRegistry.leftBehind(path.join(home(), 'children.json'));

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Everything that the clients of all lives have taken. */
function taken(): Recorded[] {
  const folder = path.join(home(), 'providers', 'puppet', 'state');
  return readdirSync(folder).flatMap((name) => readRecord(path.join(folder, name)));
}

/** An answer that can be told from every other in what a client has taken. */
function tellingAnswer(ask: RelayMessageOf<'ask'>): GiveAnswer {
  const give = anAnswer(ask.toolCallId);
  const question = ask.questions.slice(0, 1).map((one) => ({ ...one }));
  return {
    ...give,
    cards: question.map((one) => ({
      question: one,
      outcome: 'answered',
      answer: { choices: [], text: `answer to ${ask.toolCallId}` },
    })),
  };
}

interface Given {
  readonly id: ConversationId;
  readonly give: GiveAnswer;
}

const isDone = ({ id, give }: Given): boolean =>
  hub
    .all(id, 'answer-progress')
    .some(({ requestId, delivery }) => requestId === give.requestId && delivery === 'delivered');

/** How often a client took it, as a result or as a message that is not marked as a possible repeat. */
function timesTaken({ give }: Given): number {
  return taken().filter((entry) =>
    entry.kind === 'result'
      ? entry.call === give.toolCallId
      : entry.text.includes(`answer to ${give.toolCallId}`) &&
        !entry.text.includes('may have been'),
  ).length;
}

describe('a relay that is killed', () => {
  it(
    '[link.7] has its clients stopped by its next life, before any is resumed',
    async () => {
      const id = hub.assign({ folder: scratch.path });
      hub.say(id, 'ask something');
      const ask = await hub.nth(id, 'ask');
      const [client] = clients();
      // A client that hangs does not notice that its relay is gone.
      process.kill(client?.pid ?? 0, 'SIGSTOP');
      await relay.kill('SIGKILL');
      hub.give(id, tellingAnswer(ask));
      await startRelay();
      expect(identifyProcess(client?.pid ?? 0)?.start).not.toBe(client?.start);
      await hub.nth(id, 'answer-progress');
    },
    MINUTE,
  );

  it(
    '[link.7] does not let a second one have its folder while it runs',
    async () => {
      const args = [hub.url, home(), path.join(scratch.path, 'relay.pem')];
      const second = startTypeScript({ program: 'support/programs/recorded-relay.ts', args });
      await expect(second.next()).rejects.toThrow('already uses');
    },
    MINUTE,
  );

  it(
    '[C11] at any moment, again and again, loses no answer and gives none twice',
    async () => {
      const ids = Array.from({ length: CONVERSATIONS }, () => hub.assign({ folder: scratch.path }));
      const given: Given[] = [];
      const answered = new Set<string>();
      const answerAll = (): void => {
        for (const id of ids) {
          for (const ask of hub.all(id, 'ask')) {
            if (answered.has(ask.toolCallId)) continue;
            answered.add(ask.toolCallId);
            const give = tellingAnswer(ask);
            given.push({ id, give });
            hub.give(id, give);
          }
        }
      };
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (const id of ids) hub.say(id, `ask ${kill}`);
        const before = hub.count;
        const after = before + randomInt(1, 60);
        await hub.until(() => {
          answerAll();
          return hub.count >= after || given.length >= (kill + 1) * CONVERSATIONS;
        });
        await relay.kill('SIGKILL');
        await startRelay();
      }
      await hub.until(() => {
        answerAll();
        return (
          given.length >= ids.length &&
          given.every(isDone) &&
          ids.every((id) => hub.hasAllAcknowledged(id))
        );
      });
      const repeats = given.filter(({ id, give }) =>
        hub
          .all(id, 'answer-progress')
          .some(({ requestId, possibleRepeat }) => requestId === give.requestId && possibleRepeat),
      );
      process.stdout.write(
        `relay killed ${KILLS} times: ${given.length} answers, ${repeats.length} marked as possible repeats\n`,
      );
      expect(given.map(timesTaken)).toEqual(given.map(() => 1));
      expect(ids.flatMap((id) => hub.all(id, 'tombstone'))).toEqual([]);
    },
    5 * MINUTE,
  );
});
