import { HubInfo } from '#contracts';
import { httpCall } from '../api/http-call.js';
import { HubApi } from '../api/hub-api.js';
import { HubRefusal } from '../api/hub-refusal.js';
import { keysAvailable } from '../auth/device-key.js';
import { indexedDbDeviceStore } from '../auth/device-store.js';
import { DeviceSession } from '../auth/device-session.js';
import { DeviceSocket, type HubEventHandlers } from '../socket/device-socket.js';
import { t } from '../i18n/translate.svelte.js';
import { announcer } from './announcer.svelte.js';
import { board } from './board.svelte.js';
import { certificate } from './certificate.svelte.js';
import { connection } from './connection.svelte.js';
import { DatabaseWatch } from './database-watch.js';
import { hubClock } from './hub-clock.svelte.js';
import { inbox } from './inbox.svelte.js';
import { linkAlarms } from './link-alarms.svelte.js';
import { openConversations } from './open-conversations.svelte.js';
import { relays } from './relays.svelte.js';
import { restoration } from './restoration.svelte.js';

export type SignInState = 'starting' | 'signed-out' | 'revoked' | 'signed-in' | 'insecure';

const session = new DeviceSession({
  origin: location.origin,
  store: indexedDbDeviceStore,
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
});

/** The hub's HTTP API, as this device. */
export const api = new HubApi(session);

/** A clock that jumped this much between two looks means that the machine slept: the line may be dead. */
const SLEPT_MS = 30_000;
const LOOK_MS = 5_000;
const INFO_RETRY_MS = 3_000;

/** What was told by an incarnation of the hub that is over. Drafts are the person's and stay. */
function forgetAll(): void {
  board.forget();
  inbox.forget();
  openConversations.forget();
}

const handlers: HubEventHandlers = {
  snapshot: (told) => {
    hubClock.set(told.now);
    if (restoration.take(told)) forgetAll();
    relays.takeAll(told.relays);
    linkAlarms.takeAll(told.linkAlarms);
    certificate.take(told.certificateTrouble);
    board.takeFirstPage(told.board);
    inbox.takeAll(told.inbox);
    openConversations.takeInbox(told.inbox.entries);
    openConversations.reopenAll();
  },
  events: (told) => openConversations.takeEvents(told),
  deltas: (told) => openConversations.takeDeltas(told),
  'board-rows': (told) => {
    board.takeRows(told);
    openConversations.takeRows(told);
  },
  inbox: (told) => {
    hubClock.set(told.now);
    openConversations.takeInbox(told.entries);
    const fresh = inbox.change(told);
    const first = fresh[0];
    if (first !== undefined) {
      announcer.say(t('inbox.arrived', { title: first.conversation.title }));
    }
  },
  relay: ({ relay }) => {
    const { contestedAt, id, name } = relay;
    const isNew = contestedAt !== undefined && relays.find(id)?.contestedAt === undefined;
    relays.take(relay);
    if (isNew) announcer.show(t('settings.contestedShort', { name }), 'bad');
  },
  'link-alarms': ({ alarms }) => linkAlarms.takeAll(alarms),
  certificate: ({ trouble }) => certificate.take(trouble),
  'signed-out': ({ reason }) => {
    if (reason === 'revoked') void hub.forgetDevice('revoked');
    else session.dropToken();
  },
};

/** This page's tie to its hub: who it is, and the live line. */
class Hub {
  #state = $state<SignInState>('starting');
  #info = $state.raw<HubInfo | undefined>(undefined);
  #socket: DeviceSocket | undefined;
  #database: DatabaseWatch | undefined;

  get state(): SignInState {
    return this.#state;
  }
  get info(): HubInfo | undefined {
    return this.#info;
  }

  async start(): Promise<void> {
    void this.#learnInfo();
    if (!keysAvailable()) {
      this.#state = 'insecure';
      return;
    }
    const known = await session.restore().catch(() => false);
    if (known) this.#enter();
    else this.#state = 'signed-out';
  }

  /**
   * Spends a sign-in link.
   * @throws HubRefusal, HubUnreachable
   */
  async signIn(secret: string, name: string): Promise<void> {
    this.#socket?.close();
    await session.signIn(secret, name);
    this.#enter();
  }

  /** This device's id at the hub. */
  get deviceId(): string | undefined {
    return session.deviceId;
  }

  /** Goes to the page for signed-out devices. */
  leave(why: 'signed-out' | 'revoked'): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#database?.stop();
    openConversations.clear();
    this.#state = why;
  }

  /** Leaves for good: the key is destroyed, and only a new link brings this browser back. */
  async forgetDevice(why: 'signed-out' | 'revoked'): Promise<void> {
    this.leave(why);
    await session.forget().catch(() => undefined);
  }

  /**
   * For calls that are made by hand, when one is refused. Whether the device still is one is found out by dialling
   * anew, where one refusal that may be a mishap signs nobody out.
   */
  noticed(error: unknown): void {
    if (!(error instanceof HubRefusal)) return;
    if (error.code === 'UNAUTHENTICATED') this.#socket?.redial();
    if (error.code === 'UNAVAILABLE' || error.code === 'INTERNAL') void this.#database?.look();
  }

  #enter(): void {
    this.#state = 'signed-in';
    board.fetchWith((wish) => api.board(wish));
    const socket = new DeviceSocket({
      token: () => session.token(),
      dropToken: () => session.dropToken(),
      on: handlers,
      connected: () => connection.connected(),
      disconnected: () => connection.disconnected(),
      refused: () => this.leave('revoked'),
      heldUp: () => void this.#database?.look(),
      unreadable: () => connection.foundUnreadable(),
    });
    this.#socket = socket;
    this.#database?.stop();
    this.#database = new DatabaseWatch({
      fetch: (path, init) => fetch(path, init),
      told: (away) => connection.databaseAway(away),
      seen: () => document.visibilityState === 'visible',
    });
    void this.#database.look();
    openConversations.connect(socket, api);
    watchForSleep(() => this.#socket?.redial());
    window.addEventListener('online', () => this.#socket?.hurry());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible') return;
      this.#socket?.hurry();
      void this.#database?.look();
    });
  }

  async #learnInfo(): Promise<void> {
    try {
      this.#info = await httpCall(HubInfo, { method: 'GET', path: '/api/info' });
    } catch {
      setTimeout(() => void this.#learnInfo(), INFO_RETRY_MS);
    }
  }
}

/** After a suspend the line may look alive and carry nothing (D6). */
function watchForSleep(woke: () => void): void {
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT_MS) woke();
    last = now;
  }, LOOK_MS);
}

export const hub = new Hub();
