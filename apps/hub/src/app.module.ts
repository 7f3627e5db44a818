import {
  Global,
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  AuditStore,
  ConversationReads,
  ConversationWrites,
  DeviceStore,
  LinkRestoration,
  LinkStore,
  PasskeyStore,
  RelayStore,
  SettingStore,
  SignInLinkStore,
} from '#domain';
import { openStore, type Store } from '#persistence';
import { CardsModule } from './cards/cards.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { InfoModule } from './info/info.module.js';
import { LinkModule } from './link/link.module.js';
import { HubMetrics } from './metrics/hub-metrics.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { CommitDoubts } from './platform/commit-doubts.js';
import { HubConfiguration } from './platform/hub-configuration.js';
import { HubLog } from './platform/hub-log.js';
import { PlatformModule } from './platform/platform.module.js';

const STORE = Symbol('the store over PostgreSQL');

/** Each port of the domain and what of the store stands behind it. */
const PORTS = [
  { provide: AuditStore, useFactory: (store: Store) => store.audit },
  { provide: ConversationReads, useFactory: (store: Store) => store.reads },
  { provide: ConversationWrites, useFactory: (store: Store) => store.writes },
  { provide: DeviceStore, useFactory: (store: Store) => store.devices },
  { provide: LinkRestoration, useFactory: (store: Store) => store.restoration },
  { provide: LinkStore, useFactory: (store: Store) => store.link },
  { provide: PasskeyStore, useFactory: (store: Store) => store.passkeys },
  { provide: RelayStore, useFactory: (store: Store) => store.relays },
  { provide: SettingStore, useFactory: (store: Store) => store.settings },
  { provide: SignInLinkStore, useFactory: (store: Store) => store.signInLinks },
].map((port) => ({ ...port, inject: [STORE] }));

/** What the store tells of itself, and who hears it. */
@Injectable()
class StoreListeners {
  constructor(
    readonly log: HubLog,
    readonly metrics: HubMetrics,
    readonly doubts: CommitDoubts,
  ) {}
}

function openConfiguredStore(
  configuration: HubConfiguration,
  { log, metrics, doubts }: StoreListeners,
): Promise<Store> {
  return openStore({
    address: configuration.database,
    onFlush: (flush) => metrics.flushed(flush),
    onDoubt: () => doubts.raise(),
    onConnectionLost: (error) => log.warn('a database connection was lost', { error }),
  });
}

/** Binds the domain's ports to PostgreSQL. */
@Global()
@Module({
  providers: [
    {
      provide: STORE,
      useFactory: openConfiguredStore,
      inject: [HubConfiguration, StoreListeners],
    },
    StoreListeners,
    ...PORTS,
  ],
  exports: PORTS.map(({ provide }) => provide),
})
class StoreModule implements OnApplicationShutdown {
  constructor(@Inject(STORE) private readonly store: Store) {}

  /** After the last socket is gone: what was taken is committed first. */
  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}

/** The only composition root. */
@Module({})
export class AppModule {
  static with(configuration: HubConfiguration): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(configuration),
        StoreModule,
        InfoModule,
        DevicesModule,
        InboxModule,
        ConversationsModule,
        CardsModule,
        LinkModule,
        PasskeysModule,
        MetricsModule,
      ],
    };
  }
}
