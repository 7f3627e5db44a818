import { randomBytes } from 'node:crypto';
import { HubRun } from '#contracts';
import type {
  AuditStore,
  ConversationReads,
  DeviceStore,
  LinkRestoration,
  LinkStore,
  PasskeyStore,
  RelayStore,
  SettingStore,
  SignInLinkStore,
} from '#domain';
import type { DatabaseAddress, OnConnectionLost } from './database/index.js';
import { createDataSource, createPool, reportRoles, type RoleReport } from './database/index.js';
import { PgConversationReads } from './reads/pg-conversation-reads.js';
import { PgLinkStore } from './reads/pg-link-store.js';
import { PgAuditStore } from './stores/pg-audit-store.js';
import { TypeOrmDeviceStore } from './stores/typeorm-device-store.js';
import { TypeOrmPasskeyStore } from './stores/typeorm-passkey-store.js';
import { TypeOrmRelayStore } from './stores/typeorm-relay-store.js';
import { TypeOrmSettingStore } from './stores/typeorm-setting-store.js';
import { TypeOrmSignInLinkStore } from './stores/typeorm-sign-in-link-store.js';
import { withUnavailable } from './unavailable.js';
import { PgLinkRestoration } from './writes/pg-link-restoration.js';
import { PgConversationWrites, type OnFlush } from './writes/pg-conversation-writes.js';

/** All of the hub's ports over one database. */
export interface Store {
  readonly writes: PgConversationWrites;
  readonly reads: ConversationReads;
  readonly link: LinkStore;
  readonly restoration: LinkRestoration;
  readonly devices: DeviceStore;
  readonly passkeys: PasskeyStore;
  readonly signInLinks: SignInLinkStore;
  readonly relays: RelayStore;
  readonly settings: SettingStore;
  readonly audit: AuditStore;
  /** How well the database's roles protect the audit log. */
  readonly roles: RoleReport;
  /** Whether the database answers at this moment. */
  isReachable(): Promise<boolean>;
  /** Waits for what is being written, then closes every connection. */
  close(): Promise<void>;
}

/** Connections for reading; each costs PostgreSQL a process of some megabytes. */
const READERS = 4;
/** One for the flush, one for the questions about deadlines. */
const WRITERS = 2;

/** Opens the application's stores. The schema must be up to date (see {@link migrate}). */
export async function openStore(options: {
  readonly address: DatabaseAddress;
  readonly onConnectionLost?: OnConnectionLost;
  /** told of each transaction of the batcher */
  readonly onFlush?: OnFlush;
  /** Told when a write of a conversation ended without a word: it may be committed all the same. */
  readonly onDoubt?: () => void;
}): Promise<Store> {
  const onConnectionLost = options.onConnectionLost ?? (() => undefined);
  const { address } = options;
  const readers = createPool({ address, max: READERS, onConnectionLost });
  const writers = createPool({ address, max: WRITERS, onConnectionLost, pipeline: true });
  const roles = await reportRoles(readers);
  const dataSource = await createDataSource(address, onConnectionLost).initialize();
  const run = HubRun.parse(randomBytes(9).toString('base64url'));
  const { onFlush, onDoubt } = options;
  const writes = new PgConversationWrites(writers, { run, onFlush, onDoubt });
  return {
    writes,
    reads: withUnavailable(new PgConversationReads(readers)),
    link: withUnavailable(new PgLinkStore(readers)),
    restoration: withUnavailable(new PgLinkRestoration(readers, run)),
    devices: withUnavailable(new TypeOrmDeviceStore(dataSource)),
    passkeys: withUnavailable(new TypeOrmPasskeyStore(dataSource)),
    signInLinks: withUnavailable(new TypeOrmSignInLinkStore(dataSource)),
    relays: withUnavailable(new TypeOrmRelayStore(dataSource)),
    settings: withUnavailable(new TypeOrmSettingStore(dataSource)),
    audit: withUnavailable(new PgAuditStore(readers)),
    roles,
    isReachable: () =>
      readers.query('select 1').then(
        () => true,
        () => false,
      ),
    async close() {
      await writes.drain();
      await Promise.all([dataSource.destroy(), readers.end(), writers.end()]);
    },
  };
}
