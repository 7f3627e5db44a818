import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '#scripted-models';

export type Line =
  | { kind: 'message'; message: Message; messageIds: string[] }
  /** The result of a tool call that the agent took. */
  | { kind: 'result'; toolCallId: string; text: string };

/** The scripted client's own record of one session, which outlives the process as a real client's does. */
export class SessionFile {
  readonly #file: string;

  constructor(folder: string, sessionRef: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = path.join(folder, `${sessionRef}.jsonl`);
  }

  get exists(): boolean {
    return existsSync(this.#file);
  }

  append(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** A line that a kill cut short is left out. */
  read(): Line[] {
    if (!this.exists) return [];
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return line === '' ? [] : [JSON.parse(line) as Line];
        } catch {
          return [];
        }
      });
  }
}
