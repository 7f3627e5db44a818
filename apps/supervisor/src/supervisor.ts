import type { ChildToSupervisor, DatabaseConnection } from '#contracts';
import type { DatabaseAddresses } from '#persistence';
import type { CertificateChange } from './certificate-watch.js';
import type { Database, DatabaseEvents } from './database.js';
import { databaseProblem } from './database-problem.js';
import type { FrontDoor, TakesSockets } from './front-door.js';
import type { SignInLink } from './control-socket.js';
import { PartFailedError } from './part-failed-error.js';
import { howItEnded, inWords, roughly } from './plain-words.js';
import {
  SupervisedChild,
  type ChildEvents,
  type ChildProgram,
  type ToChild,
} from './supervised-child.js';
import type { Terminal } from './terminal.js';

/** The parts that a supervisor holds together. */
export interface Parts {
  readonly terminal: Terminal;
  readonly frontDoor: FrontDoor;
  /** Where other machines come in, if they may. */
  readonly outerDoor?: FrontDoor | undefined;
  readonly database: Database;
  readonly migrate: (addresses: DatabaseAddresses) => Promise<void>;
  readonly hub: (database: Promise<DatabaseConnection>) => ChildProgram;
  /** A hub takes connections, the first one or one that was started again. */
  readonly hubReady?: () => void;
  readonly relay: () => ChildProgram;
  /** Waits so many milliseconds before a restart; given by tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** What there is to tell of the certificate; absent is what has not changed, or does not stand. */
type CertificateChanged = Pick<CertificateChange, 'certificate' | 'trouble'>;

/** A child that dies this often in a row before it was ever ready will not do better: the start has failed. */
const HOPELESS_AFTER = 3;
/** How long who asks the hub for something waits for it. */
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Runs PostgreSQL, hub and relay side by side: starts them in order, starts again what dies and says so, and stops all
 * of it in the opposite order.
 */
export class Supervisor {
  readonly #parts: Parts;
  readonly #running: SupervisedChild[] = [];
  #hub: SupervisedChild | undefined;
  #stopping: Promise<void> | undefined;
  readonly #linkWanted: ((link: SignInLink) => void)[] = [];
  readonly #forgetting: ((count: number) => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get pids(): { readonly hub: number | undefined; readonly relay: number | undefined } {
    const relay = this.#running.find((child) => child !== this.#hub);
    return { hub: this.#hub?.pid, relay: relay?.pid };
  }

  /**
   * Resolves once the hub takes connections.
   *
   * @throws Error in plain words where a part can't be started; what had been started is stopped before
   */
  async start(): Promise<void> {
    const { terminal } = this.#parts;
    await Promise.all(this.#doors().map((door) => door.listen()));
    const database = this.#startDatabase();
    // Hub and relay load while PostgreSQL starts; the hub is told of it when it is there.
    const app = database.then((connections) => connections.app);
    app.catch(() => undefined);
    const hub = new FirstReady(HOPELESS_AFTER);
    this.#hub = this.#run(this.#parts.hub(app), hub);
    this.#run(this.#parts.relay());
    try {
      await database;
      await terminal.step('Starting the hub', () => hub.reached);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * A new sign-in link, for who asked on this machine.
   *
   * @throws Error where the hub does not give one in time
   */
  signInLink(): Promise<SignInLink> {
    return this.#ask({ kind: 'make-sign-in-link' }, this.#linkWanted);
  }

  /**
   * Takes all passkeys away, for who asked on this machine.
   *
   * @returns how many there were
   * @throws Error where the hub does not do it in time
   */
  forgetPasskeys(): Promise<number> {
    return this.#ask({ kind: 'forget-passkeys' }, this.#forgetting);
  }

  /** Tells the hub of its certificate; one that starts later is told as it starts. */
  certificateChanged(news: CertificateChanged): void {
    const { certificate, trouble } = news;
    this.#hub?.tell({ kind: 'certificate', certificate, trouble });
  }

  /** Stops relay, hub and PostgreSQL, in this order; asked a second time it ends the first two at once. */
  stop(): Promise<void> {
    if (this.#stopping === undefined) this.#stopping = this.#stopInOrder();
    else for (const child of this.#running) child.kill();
    return this.#stopping;
  }

  #ask<T>(message: ToChild, waiting: ((answer: T) => void)[]): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#hub?.tell(message) !== true) {
        reject(new PartFailedError('The hub is not there at this moment.'));
        return;
      }
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(give), 1);
        reject(new PartFailedError('The hub gave no answer.'));
      }, ANSWERS_WITHIN_MS);
      const give = (answer: T): void => {
        clearTimeout(tooLong);
        resolve(answer);
      };
      waiting.push(give);
    });
  }

  async #startDatabase(): Promise<DatabaseAddresses> {
    const { database, migrate, terminal } = this.#parts;
    const addresses = await terminal.step('Starting PostgreSQL', () => database.start());
    try {
      await terminal.step('Bringing the database up to date', () => migrate(addresses));
    } catch (cause) {
      throw databaseProblem(cause);
    }
    return addresses;
  }

  #hubReady(taker: TakesSockets): void {
    for (const door of this.#doors()) door.openTo(taker);
    this.#parts.hubReady?.();
  }

  #doors(): FrontDoor[] {
    const { frontDoor, outerDoor } = this.#parts;
    return outerDoor === undefined ? [frontDoor] : [frontDoor, outerDoor];
  }

  async #stopInOrder(): Promise<void> {
    // Started last, stopped first: the relay can still hand in what its agents have said.
    for (const child of [...this.#running].reverse()) {
      if (child === this.#hub) for (const door of this.#doors()) door.close();
      await child.stop();
    }
    await this.#parts.database.stop();
  }

  #run(program: ChildProgram, first?: FirstReady): SupervisedChild {
    const isHub = first !== undefined;
    const { terminal, wait } = this.#parts;
    const events: ChildEvents = {
      ready: (taker) => {
        if (isHub) this.#hubReady(taker);
        first?.ready();
      },
      heard: (message) => this.#hear(message),
      died: (death) => {
        if (isHub) for (const door of this.#doors()) door.hold();
        const why = death.why === undefined ? howItEnded(death) : death.why;
        const again = death.againIn < 1_000 ? '' : ` in ${roughly(death.againIn)}`;
        terminal.say(
          `${capital(program.name)} stopped (${why}); starting it again${again}. Its log: ${program.logFile}`,
        );
        first?.died(
          `${capital(program.name)} does not start (${why}). Its log: ${program.logFile}`,
        );
      },
    };
    const child =
      wait === undefined
        ? new SupervisedChild(program, events)
        : new SupervisedChild(program, events, wait);
    this.#running.push(child);
    child.start();
    return child;
  }

  #hear(message: ChildToSupervisor): void {
    const { terminal } = this.#parts;
    switch (message.kind) {
      case 'sign-in-link': {
        const wanted = this.#linkWanted.shift();
        if (wanted === undefined) terminal.signInLink(message);
        else wanted(message);
        return;
      }
      case 'passkeys-forgotten':
        this.#forgetting.shift()?.(message.count);
        return;
      case 'progress':
        terminal.progress(message.text, message.ended);
        return;
      case 'ready':
      case 'taken':
      case 'failed':
        return;
    }
  }
}

/** Settles when a child is ready for the first time, or has died too often to hope for it. */
class FirstReady {
  readonly reached: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #deathsLeft: number;

  constructor(hopelessAfter: number) {
    this.#deathsLeft = hopelessAfter;
    this.reached = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.reached.catch(() => undefined);
  }

  ready(): void {
    this.#resolve();
  }

  died(words: string): void {
    this.#deathsLeft -= 1;
    if (this.#deathsLeft === 0) this.#reject(new PartFailedError(words));
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is said of a PostgreSQL that died. */
export function databaseWords(terminal: Terminal): DatabaseEvents {
  return {
    died: (end) => terminal.say(`PostgreSQL stopped (${howItEnded(end)}); starting it again.`),
    failed: (error) => terminal.say(`PostgreSQL does not start: ${inWords(error)} Trying again.`),
  };
}
