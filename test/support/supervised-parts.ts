import type { HubConfig } from '#contracts';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FrontDoor } from '../../apps/supervisor/src/front-door.js';
import type { ChildProgram } from '../../apps/supervisor/src/supervised-child.js';
import { Supervisor, type Parts } from '../../apps/supervisor/src/supervisor.js';
import type { Terminal } from '../../apps/supervisor/src/terminal.js';

const CHILD = join(import.meta.dirname, 'programs/scripted-hub.mjs');
const NOWHERE = { url: 'postgres://nowhere' };

/** A terminal that remembers what was said and can be waited on. */
export class RememberingTerminal implements Terminal {
  readonly lines: string[] = [];
  readonly #looking = new Set<() => void>();

  async step<T>(_name: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  say(text: string): void {
    this.lines.push(text);
    for (const look of [...this.#looking]) look();
  }

  progress(text: string): void {
    this.say(text);
  }

  signInLink({ url }: { readonly url: string }): void {
    this.say(url);
  }

  /** Resolves with the first line that matches. */
  until(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.lines.find((line) => pattern.test(line));
        if (found === undefined) return;
        this.#looking.delete(look);
        resolve(found);
      };
      this.#looking.add(look);
      look();
    });
  }
}

/** A supervisor over scripted children: real processes and sockets, no database. */
export function scriptedSupervisor(
  folder: string,
  options: {
    readonly hubFails?: string;
    readonly databaseFails?: Error;
    readonly wait?: Parts['wait'];
  } = {},
) {
  const diary = join(folder, 'diary');
  const terminal = new RememberingTerminal();
  const frontDoor = new FrontDoor({ port: 0 });
  const program = (name: string, fails?: string): ChildProgram => ({
    name: `the ${name}`,
    entry: CHILD,
    env: {
      TEST_DIARY: diary,
      TEST_NAME: name,
      ...(fails === undefined ? {} : { TEST_FAILS: fails }),
    },
    logFile: join(folder, `${name}.log`),
    // The scripted children only look whether they are told something; what it is matters to real ones.
    configure: () => Promise.resolve({ kind: 'config' } as HubConfig),
  });
  const note = (line: string): void => appendFileSync(diary, `${line}\n`);
  const supervisor = new Supervisor({
    terminal,
    frontDoor,
    database: {
      start: () =>
        options.databaseFails === undefined
          ? Promise.resolve({ owner: NOWHERE, app: NOWHERE })
          : Promise.reject(options.databaseFails),
      stop: () => Promise.resolve(note('database stops')),
    },
    migrate: () => Promise.resolve(note('database migrated')),
    hub: (database) => ({
      ...program('hub', options.hubFails),
      configure: async () => ({ kind: 'config', database: await database }) as HubConfig,
    }),
    relay: () => program('relay'),
    ...(options.wait === undefined ? {} : { wait: options.wait }),
  });
  return {
    supervisor,
    terminal,
    frontDoor,
    url: () => `http://127.0.0.1:${frontDoor.port}/`,
    diary: () => readFileSync(diary, 'utf8').trim().split('\n'),
  };
}
