import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  answerInWords,
  askedInWords,
  MessageId,
  ProviderId,
  toldInPart,
  ToolCallId,
  TurnId,
  type GiveAnswer,
  type Question,
} from '#contracts';
import type {
  AgentSession,
  DriverHost,
  ProviderDriver,
  ProviderRuntime,
  StartSession,
} from '#provider-kit';
import { ScriptedProvider } from '../../support/scripted-provider/index.js';
import { FORGETFUL, recordName, type ScriptedProviderName } from './provider-names.js';
import { readRecord } from './record-file.js';

const CLIENT = fileURLToPath(new URL('./scripted-client.mjs', import.meta.url));

/** The scripted provider with a real client process a session, which keeps a record of its own. */
export class ScriptedDriver implements ProviderDriver {
  readonly descriptor;

  constructor({ id, cardWaits }: ScriptedProviderName) {
    const { descriptor } = new ScriptedProvider({ name: id, turns: [] });
    this.descriptor = { ...descriptor, id: ProviderId.parse(id), label: id, cardWaits };
  }

  status(): Promise<{ signedIn: 'yes' }> {
    return Promise.resolve({ signedIn: 'yes' });
  }

  open(host: DriverHost): Promise<ProviderRuntime> {
    return Promise.resolve({
      start: (start) => ScriptedSession.start(host, start),
      wasTaken: (of) => Promise.resolve(inRecord(of, { kind: 'result', call: of.toolCallId })),
      wasSent: (of) => Promise.resolve(inRecord(of, { kind: 'message', messageId: of.messageId })),
      close: () => Promise.resolve(),
    });
  }
}

function inRecord(
  of: { sessionRef: string; folder: string },
  wanted: Readonly<Record<string, string>>,
): 'yes' | 'no' | 'unknown' {
  if (path.basename(of.folder).includes(FORGETFUL)) return 'unknown';
  const entries = readRecord(path.join(of.folder, recordName(of.sessionRef)));
  const fits = (entry: Record<string, unknown>): boolean =>
    Object.entries(wanted).every(([key, value]) => entry[key] === value);
  return entries.some(fits) ? 'yes' : 'no';
}

type Said =
  | { kind: 'born' }
  | { kind: 'message-taken'; messageId: string }
  | { kind: 'result-taken'; call: string }
  | { kind: 'withdrew'; call: string }
  | { kind: 'says'; text: string }
  | { kind: 'asks'; call: string; questions: Question[]; waits?: number }
  | { kind: 'turn-begun' }
  | { kind: 'turn-over'; outcome: 'done' | 'interrupted' }
  | { kind: 'interrupted' };

class ScriptedSession implements AgentSession {
  readonly sessionRef: string;
  readonly #client: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<string>();
  readonly #gone: Promise<void>;
  #turn: TurnId | undefined;
  #closing = false;
  #born: () => void = () => undefined;
  #interrupted: (() => void)[] = [];

  private constructor(
    host: DriverHost,
    private readonly about: StartSession,
  ) {
    this.sessionRef = about.resume ?? about.proposedRef;
    const record = path.join(about.folder, recordName(this.sessionRef));
    this.#client = spawn(process.execPath, [CLIENT, record], { detached: true });
    const pid = this.#client.pid ?? 0;
    host.processes.started({ pid, group: true, what: 'a scripted client' });
    this.#client.stdin.on('error', () => undefined);
    const lines = createInterface({ input: this.#client.stdout });
    lines.on('line', (line) => this.#hear(JSON.parse(line) as Said));
    this.#gone = new Promise((resolve) => {
      // Not before its last words were heard.
      this.#client.once('close', () => {
        host.processes.ended(pid);
        this.#interrupted.splice(0).forEach((done) => done());
        about.sink.ended({ expected: this.#closing });
        resolve();
      });
    });
  }

  static async start(host: DriverHost, about: StartSession): Promise<AgentSession> {
    const session = new ScriptedSession(host, about);
    about.sink.sessionRef(session.sessionRef);
    await Promise.race([new Promise<void>((born) => (session.#born = born)), session.#gone]);
    return session;
  }

  send({ messageId, text }: { messageId: MessageId; text: string }): Promise<void> {
    return this.#tell({ kind: 'message', messageId, text });
  }

  async answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    if (!this.#waiting.delete(result.toolCallId)) return 'not-waiting';
    await this.#tell({ kind: 'result', call: result.toolCallId, text: resultText(result) });
    return 'handed';
  }

  async interrupt(): Promise<void> {
    const done = new Promise<void>((resolve) => this.#interrupted.push(resolve));
    await this.#tell({ kind: 'interrupt' });
    await done;
  }

  setMode(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#tell({ kind: 'close' });
    await this.#gone;
  }

  #tell(line: object): Promise<void> {
    this.#client.stdin.write(`${JSON.stringify(line)}\n`);
    return Promise.resolve();
  }

  #hear(said: Said): void {
    const { sink } = this.about;
    switch (said.kind) {
      case 'born':
        return this.#born();
      case 'turn-begun':
        return void this.#begin();
      case 'message-taken':
        this.#begin();
        return sink.pickedUp(MessageId.parse(said.messageId));
      case 'result-taken':
        return sink.taken(ToolCallId.parse(said.call));
      case 'withdrew':
        this.#waiting.delete(said.call);
        return sink.withdrawn(ToolCallId.parse(said.call));
      case 'says':
        return this.#say(said.text);
      case 'asks':
        return this.#ask(said);
      case 'turn-over':
        return this.#end(said.outcome);
      case 'interrupted':
        return this.#interrupted.splice(0).forEach((done) => done());
    }
  }

  #say(text: string): void {
    this.about.sink.event({ kind: 'text', turnId: this.#begin(), blockId: randomUUID(), text });
  }

  #ask({ call, questions, waits }: Extract<Said, { kind: 'asks' }>): void {
    this.#waiting.add(call);
    const toolCallId = ToolCallId.parse(call);
    const turnId = this.#begin();
    this.about.sink.ask({ toolCallId, turnId, questions, ...(waits !== undefined && { waits }) });
  }

  #begin(): TurnId {
    if (this.#turn !== undefined) return this.#turn;
    this.#turn = TurnId.parse(randomUUID());
    this.about.sink.event({ kind: 'turn-started', turnId: this.#turn });
    return this.#turn;
  }

  #end(outcome: 'done' | 'interrupted'): void {
    if (this.#turn === undefined) return;
    this.about.sink.event({ kind: 'turn-ended', turnId: this.#turn, outcome });
    this.#turn = undefined;
  }
}

/** What the client reads as the end of its call. */
function resultText({ cards, mode }: GiveAnswer): string {
  if (cards.some(({ outcome }) => outcome !== 'answered')) return toldInPart(cards, mode);
  return cards.map((card) => `${askedInWords(card.question)} ${answerInWords(card)}`).join('\n');
}
