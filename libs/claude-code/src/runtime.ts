import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DriverFailure,
  realPathOf,
  type AgentSession,
  type DriverHost,
  type ProviderRuntime,
  type StartSession,
} from '#provider-kit';
import { clientEnvironment, type ClaudeCodeProfile } from './profile.js';
import { loadSdk, type ClaudeSdk } from './sdk.js';
import { ClaudeCodeSession } from './session.js';
import { Transcript } from './transcript.js';
import { TurnUsage } from './usage.js';

type Record = Parameters<ProviderRuntime['wasTaken']>[0];
type SentMessage = Parameters<ProviderRuntime['wasSent']>[0];

/** The client has no process that sessions share: each is a child of its own. */
export class ClaudeCodeRuntime implements ProviderRuntime {
  readonly #sessions = new Set<AgentSession>();

  private constructor(
    private readonly host: DriverHost,
    private readonly profile: ClaudeCodeProfile,
    private readonly sdk: ClaudeSdk,
  ) {}

  static async open(host: DriverHost, profile: ClaudeCodeProfile): Promise<ClaudeCodeRuntime> {
    return new ClaudeCodeRuntime(host, profile, await loadSdk(host.clientFolder));
  }

  async start(start: StartSession): Promise<AgentSession> {
    if (!(await isFolder(start.folder))) throw folderMissing(start.folder);
    const sessionRef = start.resume ?? start.proposedRef;
    const transcript = await Transcript.find(this.#configFolder, sessionRef);
    const { profile, host } = this;
    const session = await ClaudeCodeSession.start(
      {
        sdk: this.sdk,
        host,
        what: profile.what,
        configFolder: this.#configFolder,
        plansFolder: await realPathOf('plans', this.#configFolder, host.homeFolder),
        projectConfigRoot: await this.#emptyFolder(),
        environment: clientEnvironment(profile, host),
        model: profile.model(start.model, host.settings),
        usage: new TurnUsage(profile.reportsCost, (await transcript?.costSoFar()) ?? 0),
        resumes: transcript !== undefined,
        sessionRef,
      },
      start,
    );
    this.#sessions.add(session);
    void session.over.finally(() => this.#sessions.delete(session));
    if (start.resume !== undefined && transcript === undefined) tellBegunAnew(start);
    return session;
  }

  async wasTaken(of: Record): Promise<'yes' | 'no' | 'unknown'> {
    const transcript = await Transcript.find(this.#configFolder, of.sessionRef);
    if (transcript === undefined) return 'unknown';
    return (await transcript.resultOf(of.toolCallId)) === 'given' ? 'yes' : 'no';
  }

  async wasSent(of: SentMessage): Promise<'yes' | 'no' | 'unknown'> {
    const transcript = await Transcript.find(this.#configFolder, of.sessionRef);
    // Without a record there was no message yet: the client makes it with the first.
    if (transcript === undefined) return 'no';
    return (await transcript.hasMessage(of.messageId)) ? 'yes' : 'no';
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.close()));
    this.#sessions.clear();
  }

  get #configFolder(): string {
    return this.host.environment['CLAUDE_CONFIG_DIR'] ?? join(this.host.homeFolder, '.claude');
  }

  async #emptyFolder(): Promise<string> {
    const folder = join(this.host.stateFolder, 'no-project-settings');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const folderMissing = (folder: string): DriverFailure =>
  new DriverFailure({
    code: 'folder-missing',
    message: `The folder ${folder} does not exist on the relay’s machine.`,
    advice: 'Make the folder again, or start a conversation in another one.',
  });

/** A session without a record has nothing to go on with; the person must know that the agent starts from nothing. */
function tellBegunAnew(start: StartSession): void {
  start.sink.event({
    kind: 'notice',
    severity: 'warning',
    code: 'begun-anew',
    params: {},
    text: 'The agent’s client has no record of this conversation, so the agent begins without what was said before.',
  });
}
