import { randomUUID } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ConfigureProvider, ConfigureReply, ProviderStatus } from '#contracts';
import { ClientInstaller, type ProviderDriver } from '#provider-kit';
import type { RelayConfiguration } from './configuration/relay-configuration.js';
import type { ConversationHost } from './conversations/conversation-host.js';
import { Conversations } from './conversations/conversations.js';
import { startThrottle } from './conversations/start-throttle.js';
import { MACHINE_DISK, type Disk } from './disk/disk.js';
import { reallyAt } from './disk/really-at.js';
import { listFolders } from './folders/list-folders.js';
import { LastAttachment } from './identity/last-attachment.js';
import { PinnedHub } from './identity/pinned-hub.js';
import { RelayKey } from './identity/relay-key.js';
import { JournalStore } from './journal/journal-store.js';
import { HubLink } from './link/hub-link.js';
import { makeHubSocket } from './link/hub-socket.js';
import type { Log } from './log.js';
import { ChildRegistry } from './processes/child-registry.js';
import { takeFolder } from './processes/folder-lock.js';
import { childrenFile, stopLeftBehind } from './processes/left-behind.js';
import { agentEnvironment } from './providers/agent-environment.js';
import { ProviderHost } from './providers/provider-host.js';
import { installWords, type Progress } from './providers/install-words.js';
import { RELAY_LIMITS, type RelayLimits } from './relay-limits.js';

export interface RelayParts {
  readonly configuration: RelayConfiguration;
  readonly drivers: readonly ProviderDriver[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
  /** A step that takes a while, or how it ended, in words for a terminal. */
  progress(progress: Progress): void;
  readonly limits?: Partial<RelayLimits>;
  /** Where journals are kept; this machine's own where it is not said. */
  readonly disk?: Disk;
}

/** A relay that runs. */
export interface Relay {
  readonly publicKey: string;
  /** Ends agents, brings everything to the disk, and lets go of the folder, in this order. */
  stop(): Promise<void>;
}

/** Starts a relay; it attaches to its hub as soon as that answers. Rejects where the folder is another's. */
export async function startRelay(parts: RelayParts): Promise<Relay> {
  const { home, keyFile } = parts.configuration;
  await mkdir(home, { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  const lock = await takeFolder(home);
  try {
    const key = await RelayKey.load(keyFile);
    const running = await RunningRelay.start(parts, key);
    return {
      publicKey: key.publicKey,
      stop: async () => {
        await running.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The parts of a relay, bound to each other. */
class RunningRelay {
  readonly #limits: RelayLimits;
  readonly #children: ChildRegistry;
  readonly #providers: ProviderHost;
  readonly #journals: JournalStore;
  readonly #conversations: Conversations;
  readonly #link: HubLink;
  readonly #timers: NodeJS.Timeout[] = [];
  #sweeping = false;

  private constructor(
    private readonly parts: RelayParts,
    key: RelayKey,
  ) {
    const { configuration, log } = parts;
    this.#limits = { ...RELAY_LIMITS, idleMs: configuration.idleMs, ...parts.limits };
    this.#children = new ChildRegistry(childrenFile(configuration.home), {
      trouble: (error) => log.error({ err: error }, 'the list of children can not be written'),
    });
    this.#journals = new JournalStore(configuration.home, {
      ...this.#limits,
      disk: parts.disk ?? MACHINE_DISK,
      now: () => Date.now(),
      trouble: (error, file) => log.error({ err: error, file }, 'a journal can not be written'),
      damaged: (error, file) => log.error({ err: error, file }, 'a journal is damaged'),
    });
    this.#providers = this.#makeProviders();
    this.#conversations = new Conversations(this.#journals, this.#conversationHost());
    this.#link = this.#makeLink(key);
  }

  static async start(parts: RelayParts, key: RelayKey): Promise<RunningRelay> {
    const { home } = parts.configuration;
    const left = await stopLeftBehind(childrenFile(home));
    if (left.length > 0) parts.log.warn({ count: left.length }, 'stopped what was left behind');
    const relay = new RunningRelay(parts, key);
    await relay.#conversations.load();
    await relay.#providers.refreshAll();
    relay.#begin();
    return relay;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#conversations.close();
    await this.#link.drained(this.#limits.goodbyeMs);
    this.#link.close();
    await this.#providers.close();
    await this.#children.stopAll();
    await this.#conversations.closeJournals();
  }

  #begin(): void {
    const { log } = this.parts;
    this.#link.connect();
    this.#timers.push(
      setInterval(() => void this.#sweep(), this.#limits.sweepMs),
      // Somebody may have signed in with the provider's own program in the meantime.
      setInterval(() => void this.#providers.refreshAll(), this.#limits.statusMs),
    );
    this.#providers.installFirst().catch((error: unknown) => {
      log.error({ err: error }, 'the client could not be installed');
    });
  }

  async #sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      await this.#conversations.sweep();
    } catch (error) {
      this.parts.log.error({ err: error }, 'journals could not be brought to the disk');
    } finally {
      this.#sweeping = false;
    }
  }

  #makeProviders(): ProviderHost {
    const { configuration, drivers, environment, log } = this.parts;
    return new ProviderHost(drivers, {
      home: configuration.home,
      installer: new ClientInstaller(
        configuration.clients ?? path.join(configuration.home, 'clients'),
        this.#children,
      ),
      environment: agentEnvironment(environment),
      homeFolder: environment['HOME'] ?? homedir(),
      processes: this.#children,
      log,
      changed: (status, before) => this.#providerChanged(status, before),
    });
  }

  #providerChanged(status: ProviderStatus, before: ProviderStatus): void {
    this.#link.providerStatus(status);
    const words = installWords(status.client, before.client);
    if (words !== undefined) this.parts.progress(words);
    // What waited for the client goes on; what failed for another reason is not helped by it.
    const isNew = status.client.state === 'ready' && before.client.state !== 'ready';
    if (isNew) this.#conversations.tryAgain();
  }

  async #configure(call: ConfigureProvider): Promise<ConfigureReply> {
    const reply = await this.#providers.configure(call);
    if (reply.ok) this.#conversations.settingsChanged();
    return reply;
  }

  #conversationHost(): ConversationHost {
    const { configuration, log } = this.parts;
    return {
      log,
      times: this.#limits,
      mostUnacknowledgedBytes: this.#limits.mostUnacknowledgedBytes,
      children: this.#children,
      provider: (id) => this.#providers.get(id),
      throttled: startThrottle(this.#limits.startsAtOnce),
      secretFolders: [configuration.home, ...(configuration.secretFolders ?? [])].map(reallyAt),
      hubAwayMs: () => this.#link.awayMs,
      written: (id) => this.#link.outbox.wake(id),
      delta: (id, delta) => this.#link.deltas.add(id, delta),
      received: (acknowledgement) => this.#link.receipts.add(acknowledgement),
    };
  }

  #makeLink(key: RelayKey): HubLink {
    const { configuration, environment, log, progress, version } = this.parts;
    const { home, hubKey, hubUrl, name } = configuration;
    const instance = randomUUID();
    return new HubLink({
      socket: makeHubSocket(hubUrl),
      key,
      pinned: new PinnedHub(home, hubKey),
      last: new LastAttachment(home),
      conversations: this.#conversations,
      log,
      about: () => ({ name, version, instance, providers: this.#providers.onRelay() }),
      listFolders: (folder) => listFolders(folder, environment['HOME'] ?? homedir()),
      configure: (call) => this.#configure(call),
      refused: (text) => progress({ text }),
    });
  }
}
