import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { RequestId, type CardOutcome, type GiveAnswer, type ToolCallId } from '#contracts';
import type { Disk } from '../../../apps/relay/src/disk/disk.js';
import { makeLog } from '../../../apps/relay/src/log.js';
import type { RelayLimits } from '../../../apps/relay/src/relay-limits.js';
import { startRelay, type Relay } from '../../../apps/relay/src/relay.js';
import { makeScratchFolder, type ScratchFolder } from '../scratch-folder.js';
import { PuppetDriver } from './puppet-driver.js';
import { SmallHub } from './small-hub.js';

/** A small hub and the real relay, in this process, with a driver that the test speaks for. */
export interface RelayStage {
  readonly hub: SmallHub;
  readonly driver: PuppetDriver;
  readonly home: string;
  relay: Relay;
  /** Resolves with the next thing that the relay says to whoever started it. */
  progress(): Promise<string>;
  /** Stops the relay in order and starts it again, after what is done in between. */
  restart(between?: () => void): Promise<void>;
  /**
   * What a kill of the relay leaves: its folder as it is at this moment, taken up by another life of it. The
   * sessions of the first life are gone.
   */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export async function makeRelayStage(
  more: { driver?: PuppetDriver; limits?: Partial<RelayLimits>; disk?: Disk } = {},
): Promise<RelayStage> {
  const hub = await new SmallHub().start();
  const scratch: ScratchFolder = await makeScratchFolder();
  const driver = more.driver ?? new PuppetDriver();
  const words = new EventEmitter();
  let home = path.join(scratch.path, 'relay');
  const start = (): Promise<Relay> =>
    startRelay({
      configuration: {
        hubUrl: hub.url,
        home,
        keyFile: path.join(scratch.path, 'relay.pem'),
        name: 'a relay',
        logLevel: 'fatal',
        idleMs: 3_600_000,
      },
      drivers: [driver],
      environment: { PATH: process.env['PATH'], HOME: scratch.path },
      version: '0.0.0',
      log: makeLog('silent'),
      progress: ({ text }) => words.emit('said', text),
      limits: { sweepMs: 20, goodbyeMs: 200, ...more.limits },
      ...(more.disk !== undefined && { disk: more.disk }),
    });
  const stage: RelayStage = {
    hub,
    driver,
    get home() {
      return home;
    },
    relay: await start(),
    async progress() {
      const [text] = (await once(words, 'said')) as [string];
      return text;
    },
    async restart(between) {
      await stage.relay.stop();
      between?.();
      stage.relay = await start();
    },
    async crash() {
      await hub.stop();
      const copy = `${home}-again`;
      // This process lives on and would be taken for the holder of the folder.
      const isNoLock = (file: string): boolean => !path.basename(file).startsWith('relay.lock');
      await cp(home, copy, { recursive: true, filter: isNoLock });
      await stage.relay.stop();
      await hub.start();
      home = copy;
      stage.relay = await start();
    },
    async close() {
      await stage.relay.stop();
      await hub.stop();
      await scratch.remove();
    },
  };
  return stage;
}

/** The end of a request with one question, answered with its first choice unless told otherwise. */
export function anAnswer(toolCallId: ToolCallId, outcome: CardOutcome = 'answered'): GiveAnswer {
  return {
    kind: 'give-answer',
    requestId: RequestId.parse(randomUUID()),
    toolCallId,
    outcome,
    mode: 'autopilot',
    cards: [
      {
        question: {
          kind: 'question',
          question: 'Go on?',
          options: [{ label: 'Yes' }, { label: 'No' }],
          allowsSeveral: false,
          offersSelectSeveral: false,
          notes: [],
        },
        outcome,
        ...(outcome === 'answered' && { answer: { choices: [0] } }),
      },
    ],
  };
}
