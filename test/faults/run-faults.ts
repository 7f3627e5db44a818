import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConversationId, Relay } from '#contracts';
import { tally, violations, type Tally } from './oracle/oracle.js';
import type { Violation } from './oracle/violation.js';
import { Dice } from './plan/dice.js';
import { journalRecords, linkIsEven, storedConversation } from './records/collect.js';
import type { ConversationRecords, RunRecords } from './records/records.js';
import type { Agents } from './stage/agents.js';
import { FaultInjector } from './stage/fault-injector.js';
import { LifeRunner } from './stage/life-runner.js';
import { People } from './stage/people.js';
import { ProductUnderFault } from './stage/product-under-fault.js';
import { StubbornDevice } from './stage/stubborn-device.js';

export interface FaultRun {
  readonly agents: Agents;
  readonly seed: number;
  /** Ends once so many lives were begun, and so many minutes are over. */
  readonly lives: number;
  readonly minutes: number;
  /** How many conversations at once. */
  readonly conversations: number;
  /** How long a conversation may stand still that should not, in milliseconds. */
  readonly patienceMs: number;
  /** How long a fault lasts at most, in milliseconds. */
  readonly longestFaultMs: number;
  /** Told every now and then, for a person who waits. */
  readonly progress?: (text: string) => void;
  /** Aborted when nobody wants to wait any longer: the product is stopped, and nothing is said of it. */
  readonly signal?: AbortSignal;
}

export interface FaultReport {
  readonly seed: number;
  readonly seconds: number;
  readonly lives: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
  /** Where everything of a run with violations is kept. */
  readonly kept: string | undefined;
}

const DEVICES = ['Phone', 'Tablet', 'Workbench'];
/** How long hub and relay may take to have the same of everything once nothing breaks any more. */
const EVEN_WITHIN_MS = 60_000;

/** Runs the product with scripted agents, breaks it again and again, and looks whether anything was lost. */
export async function runFaults(options: FaultRun): Promise<FaultReport> {
  const began = performance.now();
  const product = await ProductUnderFault.start(options.agents);
  const run = new Run(product, options);
  const given = new Promise<never>((_, reject) => {
    options.signal?.addEventListener('abort', () => reject(new GivenUp()));
  });
  const { records, lives } = await Promise.race([run.toTheEnd(), given]).catch(
    async (error: unknown) => {
      // Whatever went wrong with the run itself, nothing is left running.
      await product.abandon();
      if (error instanceof GivenUp) await rm(product.folder, { recursive: true, force: true });
      throw error;
    },
  );
  const found = violations(records);
  const report: FaultReport = {
    seed: options.seed,
    seconds: Math.round((performance.now() - began) / 1_000),
    lives,
    faults: Object.fromEntries([...run.faults].sort()),
    tally: tally(records),
    violations: found,
    kept: found.length > 0 ? product.folder : undefined,
  };
  if (found.length === 0) await rm(product.folder, { recursive: true, force: true });
  else {
    await writeFile(path.join(product.folder, 'records.json'), JSON.stringify(records, null, 1));
    await writeFile(path.join(product.folder, 'report.json'), JSON.stringify(report, null, 1));
  }
  return report;
}

/** The run was ended from outside. */
export class GivenUp extends Error {}

class Run {
  readonly #dice: Dice;
  readonly #devices: StubbornDevice[] = [];
  #lives = 0;
  #isOver = false;
  faults: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly product: ProductUnderFault,
    private readonly options: FaultRun,
  ) {
    this.#dice = new Dice(options.seed, 'run');
  }

  async toTheEnd(): Promise<{ records: RunRecords; lives: number }> {
    const { product } = this;
    const { agents } = this.options;
    const clients = await product.devices(DEVICES);
    const [first] = clients;
    if (first === undefined) throw new Error('a run needs a device');
    const relay = await product.relay(first, agents.areReady);
    await agents.prepare(first, relay);
    first.close();
    this.#devices.push(...clients.map((client) => new StubbornDevice(client)));
    const connected = this.#devices.map((device) => device.stayConnected());
    const people = new People(this.#devices, () => this.#isOver);
    const runners = this.#runners(relay, people);
    const plan = { dice: this.#dice.of('faults'), longestMs: this.options.longestFaultMs };
    const injector = new FaultInjector(product, plan, () =>
      this.#devices.reduce((sum, device) => sum + device.signals, 0),
    );
    this.faults = injector.counts;
    const breaking = injector.run();
    await this.#live(runners);
    await injector.end();
    await breaking;
    await Promise.all(runners.map((runner) => runner.comeToRest()));
    this.#isOver = true;
    const conversations = await this.#collect(runners);
    for (const device of this.#devices) device.close();
    await Promise.all(connected);
    await product.stop();
    const left = product.killWhatIsLeft();
    return {
      lives: this.#lives,
      records: {
        conversations,
        attempts: people.attempts,
        devices: this.#devices.map((device) => device.record()),
        relayDeaths: injector.relayDeaths,
        stuck: runners.flatMap(({ stuck }) => stuck),
        leftBehind: left.map(({ pid, command }) => `${pid}: ${command}`),
      },
    };
  }

  #runners(relay: Relay, people: People): LifeRunner[] {
    const { agents, conversations, patienceMs } = this.options;
    return Array.from({ length: conversations }, (_, n) => {
      const dice = this.#dice.of(`conversation ${n}`);
      const { provider, folder: name } = agents.place(dice, `c${n}`);
      const folder = path.join(this.product.folder, 'work', name);
      mkdirSync(folder, { recursive: true });
      const place = { relayId: relay.id, provider, folder };
      return new LifeRunner({ name: `c${n}`, place, people, dice, able: agents.able, patienceMs });
    });
  }

  async #live(runners: readonly LifeRunner[]): Promise<void> {
    const { lives, minutes } = this.options;
    const until = performance.now() + minutes * 60_000;
    const more = (): boolean => {
      if (this.#lives >= lives && performance.now() >= until) return false;
      this.#lives += 1;
      return true;
    };
    const telling = setInterval(() => this.#tell(), 10_000);
    try {
      await Promise.all(runners.map((runner) => runner.run(more)));
    } finally {
      clearInterval(telling);
    }
  }

  #tell(): void {
    const faults = [...this.faults.values()].reduce((sum, count) => sum + count, 0);
    this.options.progress?.(`${this.#lives} lives begun, ${faults} faults`);
  }

  /** Reads everything once hub, relay and devices have the same, or should have had by now. */
  async #collect(runners: readonly LifeRunner[]): Promise<ConversationRecords[]> {
    const until = performance.now() + EVEN_WITHIN_MS;
    for (;;) {
      const isLast = performance.now() > until;
      const reading = Promise.all(runners.flatMap((runner) => this.#recordsOf(runner)));
      // PostgreSQL may be about to come back from the last fault.
      const records = await (isLast ? reading : reading.catch(() => undefined));
      if (records !== undefined && (isLast || records.every((one) => this.#isEven(one)))) {
        return records;
      }
      await pause(500);
    }
  }

  #isEven(records: ConversationRecords): boolean {
    return linkIsEven(records) && this.#devicesHave(records);
  }

  #devicesHave({ id, database }: ConversationRecords): boolean {
    return this.#devices.every((device) => device.views.get(id)?.lastN === database.lastEventN);
  }

  #recordsOf({ view, place }: LifeRunner): Promise<ConversationRecords>[] {
    if (view === undefined) return [];
    const { agents } = this.options;
    const { database, folder, relayHome } = this.product;
    const read = async (id: ConversationId): Promise<ConversationRecords> => ({
      id,
      database: await storedConversation(database, id),
      journal: await journalRecords(relayHome, id),
      client: await agents.records({ folder: place.folder, home: folder }),
    });
    return [read(view.id)];
  }
}
