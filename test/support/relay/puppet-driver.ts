import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  ProviderId,
  TurnId,
  type GiveAnswer,
  type MessageId,
  type ProviderDescriptor,
  type RelayMode,
  type ToolCallId,
} from '#contracts';
import type {
  AgentSession,
  DriverHost,
  ProviderDriver,
  ProviderRuntime,
  StartSession,
} from '#provider-kit';

type Known = 'yes' | 'no' | 'unknown';

const DESCRIPTOR: ProviderDescriptor = {
  id: ProviderId.parse('puppet'),
  label: 'Puppet',
  icon: '<path d="M0 0"/>',
  engines: [],
  models: [],
  anyModel: true,
  settings: [
    { name: 'apiKey', label: 'API key', type: 'secret', required: false },
    { name: 'baseUrl', label: 'Address', type: 'url', required: false },
  ],
  capabilities: {
    questions: true,
    severalAnswers: true,
    severalQuestions: true,
    thoughts: true,
    interrupt: true,
    resume: true,
    evidence: 'tool-result',
    questionSurvivesRestart: false,
    reportsCost: false,
    modes: { autopilot: true, ask: true, plan: true },
  },
  cardWaits: 1_000,
};

/**
 * A driver whose agents do what the test does with them: each session is the test's to speak for. It has no
 * client and no process; what a client would have recorded is what the test puts into {@link taken} and
 * {@link sent}.
 */
export class PuppetDriver implements ProviderDriver {
  readonly descriptor: ProviderDescriptor;
  readonly sessions: PuppetSession[] = [];
  readonly taken = new Map<string, Known>();
  readonly sent = new Map<string, Known>();
  readonly hosts: DriverHost[] = [];
  /** Thrown by the next starts, one each. */
  readonly startFailures: unknown[] = [];
  /** Where set, a start waits for it. */
  gate: Promise<void> | undefined;
  /** What a session does before its start has returned. */
  atStart: (session: PuppetSession) => void = () => undefined;
  starting = 0;
  mostStarting = 0;
  readonly #events = new EventEmitter();

  constructor(capabilities: Partial<ProviderDescriptor['capabilities']> = {}) {
    const all = { ...DESCRIPTOR.capabilities, ...capabilities };
    this.descriptor = { ...DESCRIPTOR, capabilities: all };
  }

  open(host: DriverHost): Promise<ProviderRuntime> {
    this.hosts.push(host);
    return Promise.resolve({
      start: (session: StartSession) => this.#start(session),
      wasTaken: ({ toolCallId }) => Promise.resolve(this.taken.get(toolCallId) ?? 'no'),
      wasSent: ({ messageId }) => Promise.resolve(this.sent.get(messageId) ?? 'no'),
      close: () => Promise.resolve(),
    });
  }

  status(): Promise<{ signedIn: 'yes' }> {
    return Promise.resolve({ signedIn: 'yes' });
  }

  /** The session that is started as the nth of all, from 0, once it is. */
  async session(nth: number): Promise<PuppetSession> {
    for (;;) {
      const session = this.sessions[nth];
      if (session !== undefined) return session;
      await once(this.#events, 'session');
    }
  }

  async #start(start: StartSession): Promise<AgentSession> {
    this.starting += 1;
    this.mostStarting = Math.max(this.mostStarting, this.starting);
    try {
      await this.gate;
      const failure = this.startFailures.shift();
      if (failure instanceof Error) throw failure;
      const session = new PuppetSession(start);
      this.atStart(session);
      // The test has it once the relay has.
      setImmediate(() => {
        this.sessions.push(session);
        this.#events.emit('session');
      });
      return session;
    } finally {
      this.starting -= 1;
    }
  }
}

/** One agent, spoken for by the test. */
export class PuppetSession implements AgentSession {
  readonly sessionRef: string;
  readonly messages: { messageId: MessageId; text: string }[] = [];
  readonly answers: GiveAnswer[] = [];
  readonly modes: RelayMode[] = [];
  interrupts = 0;
  closes = 0;
  held = false;
  /** Whether it says at once that it has a message, and gives evidence of an answer. */
  prompt = true;
  readonly #waiting = new Set<string>();
  readonly #events = new EventEmitter();

  constructor(readonly start: StartSession) {
    this.sessionRef = start.resume ?? start.proposedRef;
  }

  get sink(): StartSession['sink'] {
    return this.start.sink;
  }

  beginTurn(): TurnId {
    const turnId = TurnId.parse(randomUUID());
    this.sink.event({ kind: 'turn-started', turnId });
    return turnId;
  }

  endTurn(turnId: TurnId): void {
    this.sink.event({ kind: 'turn-ended', turnId, outcome: 'done' });
  }

  ask(toolCallId: ToolCallId, ...questions: string[]): void {
    this.#waiting.add(toolCallId);
    this.sink.ask({
      toolCallId,
      questions: questions.map((question) => ({
        kind: 'question',
        question,
        options: [{ label: 'Yes' }, { label: 'No' }],
        allowsSeveral: false,
        offersSelectSeveral: false,
        notes: [],
      })),
    });
  }

  /** The process ends without being asked to. */
  die(): void {
    this.#waiting.clear();
    this.sink.ended({ expected: false });
  }

  async message(nth: number): Promise<{ messageId: MessageId; text: string }> {
    for (;;) {
      const message = this.messages[nth];
      if (message !== undefined) return message;
      await once(this.#events, 'told');
    }
  }

  async answered(nth = 0): Promise<GiveAnswer> {
    for (;;) {
      const answer = this.answers[nth];
      if (answer !== undefined) return answer;
      await once(this.#events, 'told');
    }
  }

  async interrupted(): Promise<void> {
    while (this.interrupts === 0) await once(this.#events, 'told');
  }

  async closed(): Promise<void> {
    while (this.closes === 0) await once(this.#events, 'told');
  }

  async released(): Promise<void> {
    while (this.held) await once(this.#events, 'told');
  }

  send(message: { messageId: MessageId; text: string }): Promise<void> {
    this.messages.push(message);
    if (this.prompt) this.sink.pickedUp(message.messageId);
    this.#events.emit('told');
    return Promise.resolve();
  }

  answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    if (!this.#waiting.delete(result.toolCallId)) return Promise.resolve('not-waiting');
    this.answers.push(result);
    if (this.prompt) setImmediate(() => this.sink.taken(result.toolCallId));
    this.#events.emit('told');
    return Promise.resolve('handed');
  }

  interrupt(): Promise<void> {
    this.interrupts += 1;
    this.#events.emit('told');
    return Promise.resolve();
  }

  setMode(mode: RelayMode): Promise<void> {
    this.modes.push(mode);
    return Promise.resolve();
  }

  /** Absent in a client that can't be held. */
  hold? = (held: boolean): void => {
    this.held = held;
    this.#events.emit('told');
  };

  close(): Promise<void> {
    this.closes += 1;
    // A client that is closed gives up its calls first, as a real one does.
    for (const call of this.#waiting) this.sink.withdrawn(call as ToolCallId);
    this.sink.ended({ expected: true });
    this.#events.emit('told');
    return Promise.resolve();
  }
}
