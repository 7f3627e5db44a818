import type {
  Action,
  AgentEvent,
  AskRequest,
  Delta,
  Failure,
  GiveAnswer,
  MessageId,
  ProviderDescriptor,
  ProviderStatus,
  RelayMode,
  ToolCallId,
} from '#contracts';

/**
 * A provider's driver: one folder, one line in the list of providers.
 *
 * The shape fits a child process per session (Claude), one runtime for many sessions (Copilot, Grok), a client
 * in a process of its own (Cursor) and agents that live elsewhere (Claude Cloud, OpenClaw): what is shared
 * between sessions belongs to the {@link ProviderRuntime}.
 */
export interface ProviderDriver {
  /** Static data; the hub and the page know a provider by this alone. */
  readonly descriptor: ProviderDescriptor;
  /** The client package that the relay installs from npm; absent where none is needed. */
  readonly client?: ClientPackage;
  /** Starts what the sessions share. Called once before the first session, and again after {@link ProviderRuntime.close}. */
  open(host: DriverHost): Promise<ProviderRuntime>;
  /** Whether it is signed in and what is missing, without asking a model. */
  status(
    host: Pick<DriverHost, 'settings' | 'environment' | 'homeFolder'>,
  ): Promise<Pick<ProviderStatus, 'signedIn' | 'advice'>>;
}

/** An npm package at the version that the driver was tested with. */
export interface ClientPackage {
  readonly name: string;
  readonly version: string;
  /** Where npm takes it from, when not by its name: a folder or an archive, as `npm install` understands it. */
  readonly source?: string;
  /** Proves that what was installed into the folder can run; rejects with a {@link DriverFailure}. */
  readonly verify?: (clientFolder: string) => Promise<void>;
}

/** What the relay gives to a driver. */
export interface DriverHost {
  /** The folder that the client package was installed into (`ClientInstaller.install`); it has a `node_modules`. */
  readonly clientFolder: string;
  /** A folder of the driver's own, 0700, kept between starts. */
  readonly stateFolder: string;
  /** The home folder of the user that agents run as. */
  readonly homeFolder: string;
  /** Allow-listed environment for agents (S3); a driver adds only what its own client needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The person's settings for this provider, secrets included. Never logged. */
  readonly settings: Readonly<Record<string, string>>;
  /** Tells the relay of each process it starts, so that one left behind by a killed relay can be stopped. */
  readonly processes: ProcessRegistry;
  log(
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, unknown>,
  ): void;
}

export interface ProcessRegistry {
  /**
   * Called right after spawning, with the id of the process (leader of a group of its own where `group`).
   * `mark`: what {@link newChildMark} gave it, so that what it starts in other groups is found too.
   */
  started(process: { pid: number; group: boolean; what: string; mark?: string }): void;
  ended(pid: number): void;
}

export interface ProviderRuntime {
  /** Starts or resumes one session. Rejects with a {@link DriverFailure} in plain words. */
  start(session: StartSession): Promise<AgentSession>;
  /**
   * Whether the client took the result of this tool call, read from the client's own record after a crash
   * (link rule 4). `unknown` where it keeps none.
   */
  wasTaken(of: {
    sessionRef: string;
    folder: string;
    toolCallId: ToolCallId;
  }): Promise<'yes' | 'no' | 'unknown'>;
  /** Whether a message with this text-borne or client-known mark reached the client; `unknown` where it can't tell. */
  wasSent(of: {
    sessionRef: string;
    folder: string;
    messageId: MessageId;
  }): Promise<'yes' | 'no' | 'unknown'>;
  close(): Promise<void>;
}

/**
 * What the relay says to an action at this moment, by the mode that is in force (M3, M6). A driver asks before each
 * action, and once more before one runs that a person gave leave for. What it can't describe it does not let through.
 */
export type ActionGate = (action: Pick<Action, 'kind' | 'tool' | 'path'>) => GateRuling;

export type GateRuling =
  | { readonly rule: 'allow' }
  /** The person is asked by {@link SessionSink.ask}, with one approval. */
  | { readonly rule: 'ask' }
  | { readonly rule: 'refuse'; readonly reason: string };

export interface StartSession {
  readonly folder: string;
  readonly engine?: string;
  readonly model?: string;
  readonly mode: RelayMode;
  readonly gate: ActionGate;
  /** Chosen by the relay, a UUID; a driver whose client can't take it returns its own in {@link AgentSession.sessionRef}. */
  readonly proposedRef: string;
  /** The client's name of the session to resume; absent for a new one. */
  readonly resume?: string;
  /** Requests that the hub holds open from before, for clients whose pending questions survive a restart. */
  readonly pending: readonly ToolCallId[];
  readonly sink: SessionSink;
}

/** How a session tells the relay what happens. Calls never throw and never block the client. */
export interface SessionSink {
  /** The client's own name of the session, as soon as it is known; again when it changes. */
  sessionRef(ref: string): void;
  /** A whole block, a tool call, a turn's start or end, a notice: journalled and stored. */
  event(event: AgentEvent): void;
  /** A piece of a block in the making: shown, never stored. */
  delta(delta: Delta): void;
  /** The agent asks. Its client waits until {@link AgentSession.answer}. */
  ask(request: Omit<AskRequest, 'kind'>): void;
  /** The client withdrew the question by itself (turn interrupted, call cancelled). */
  withdrawn(toolCallId: ToolCallId): void;
  /** Evidence that the client took the result of this call (C11). */
  taken(toolCallId: ToolCallId): void;
  /** The client has the message. */
  pickedUp(messageId: MessageId): void;
  /** The client's process ended. `expected` when {@link AgentSession.close} was asked for. */
  ended(how: { expected: boolean; failure?: Failure }): void;
}

/** One agent at work. */
export interface AgentSession {
  readonly sessionRef: string;
  /** Hands a message over; resolves when the client has accepted it. Starts a turn when none runs, else queues in the client. */
  send(message: { messageId: MessageId; text: string }): Promise<void>;
  /**
   * Hands the end of a request to the waiting client, in the form that it expects for this outcome and mode.
   * `not-waiting` when the client does not wait in this call any more: the relay then sends it as a message.
   */
  answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'>;
  /** Ends the running turn; the session stays usable. */
  interrupt(): Promise<void>;
  setMode(mode: RelayMode): Promise<void>;
  /**
   * Back pressure (link rule 5): while held, no more of what the client says is read, so that the client waits.
   * A driver without it has its session closed instead when the relay can keep no more.
   */
  hold?(held: boolean): void;
  /** Ends the process, or releases the session in a shared runtime. It can be resumed by its `sessionRef`. */
  close(): Promise<void>;
}

/** A failure with a stable name and words for a person; everything else that a driver throws is a fault of ours. */
export class DriverFailure extends Error {
  constructor(
    readonly failure: Failure,
    options?: { cause?: unknown },
  ) {
    super(failure.message, options);
    this.name = 'DriverFailure';
  }
}
