import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MessageId, ToolCallId, TurnId, type GiveAnswer } from '#contracts';
import type {
  AgentSession,
  DriverHost,
  ProviderDriver,
  ProviderRuntime,
  StartSession,
} from '#provider-kit';
import { PuppetDriver } from './puppet-driver.js';

const CLIENT = fileURLToPath(new URL('../programs/recorded-client.mjs', import.meta.url));

/** What a client keeps of what it took. */
export type Recorded =
  | { readonly kind: 'message'; readonly messageId: string; readonly text: string }
  | { readonly kind: 'result'; readonly call: string; readonly outcome: string };

export const recordOf = (folder: string, sessionRef: string): string =>
  path.join(folder, `${sessionRef}.jsonl`);

/** What stands whole in a record. */
export function readRecord(file: string): Recorded[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** A driver with a real process a session, which a relay that is killed leaves behind. */
export class RecordedDriver implements ProviderDriver {
  readonly descriptor = new PuppetDriver().descriptor;

  open(host: DriverHost): Promise<ProviderRuntime> {
    const took = (ref: string, is: (entry: Recorded) => boolean): 'yes' | 'no' =>
      readRecord(recordOf(host.stateFolder, ref)).some(is) ? 'yes' : 'no';
    return Promise.resolve({
      start: (start) => Promise.resolve(new RecordedSession(host, start)),
      wasTaken: ({ sessionRef, toolCallId }) =>
        Promise.resolve(
          took(sessionRef, (entry) => entry.kind === 'result' && entry.call === toolCallId),
        ),
      wasSent: ({ sessionRef, messageId }) =>
        Promise.resolve(
          took(sessionRef, (entry) => entry.kind === 'message' && entry.messageId === messageId),
        ),
      close: () => Promise.resolve(),
    });
  }

  status(): Promise<{ signedIn: 'yes' }> {
    return Promise.resolve({ signedIn: 'yes' });
  }
}

type Said =
  | { kind: 'message-taken'; messageId: string }
  | { kind: 'result-taken'; call: string }
  | { kind: 'asks'; call: string; question: string }
  | { kind: 'done' };

class RecordedSession implements AgentSession {
  readonly sessionRef: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<string>();
  #turn: TurnId | undefined;
  #closing = false;

  constructor(
    host: DriverHost,
    private readonly start: StartSession,
  ) {
    this.sessionRef = start.resume ?? start.proposedRef;
    const record = recordOf(host.stateFolder, this.sessionRef);
    this.#child = spawn(process.execPath, [CLIENT, record, randomUUID()], { detached: true });
    const pid = this.#child.pid ?? 0;
    host.processes.started({ pid, group: true, what: 'a recorded client' });
    createInterface({ input: this.#child.stdout }).on('line', (line) =>
      this.#hear(JSON.parse(line) as Said),
    );
    this.#child.stdin.on('error', () => undefined);
    this.#child.once('exit', () => {
      host.processes.ended(pid);
      start.sink.ended({ expected: this.#closing });
    });
  }

  send({ messageId, text }: { messageId: MessageId; text: string }): Promise<void> {
    return this.#tell({ kind: 'message', messageId, text });
  }

  async answer({ toolCallId, outcome }: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    if (!this.#waiting.delete(toolCallId)) return 'not-waiting';
    await this.#tell({ kind: 'result', call: toolCallId, outcome });
    return 'handed';
  }

  interrupt(): Promise<void> {
    return Promise.resolve();
  }

  setMode(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  #tell(line: Recorded): Promise<void> {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
    return Promise.resolve();
  }

  #hear(said: Said): void {
    const { sink } = this.start;
    switch (said.kind) {
      case 'message-taken':
        this.#begin();
        return sink.pickedUp(MessageId.parse(said.messageId));
      case 'result-taken':
        return sink.taken(ToolCallId.parse(said.call));
      case 'asks':
        return this.#ask(said);
      case 'done':
        return this.#end();
    }
  }

  #ask({ call, question }: { call: string; question: string }): void {
    this.#waiting.add(call);
    this.start.sink.ask({
      toolCallId: ToolCallId.parse(call),
      turnId: this.#begin(),
      questions: [
        {
          kind: 'question',
          question,
          options: [],
          allowsSeveral: false,
          offersSelectSeveral: false,
          notes: [],
        },
      ],
    });
  }

  #begin(): TurnId {
    if (this.#turn !== undefined) return this.#turn;
    this.#turn = TurnId.parse(randomUUID());
    this.start.sink.event({ kind: 'turn-started', turnId: this.#turn });
    return this.#turn;
  }

  #end(): void {
    if (this.#turn === undefined) return;
    this.start.sink.event({ kind: 'turn-ended', turnId: this.#turn, outcome: 'done' });
    this.#turn = undefined;
  }
}
