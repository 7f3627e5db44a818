import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { MetricsKey } from '../metrics/metrics-key.js';
import { AtTheDoor } from './at-the-door.js';
import { CommitDoubts } from './commit-doubts.js';
import { ErrorFilter } from './error-filter.js';
import { HubConfiguration } from './hub-configuration.js';
import { HubKey } from './hub-key.js';
import { HubLog } from './hub-log.js';
import { OwnOrigins } from './own-origins.js';

/** What every room of the hub may use. */
@Global()
@Module({})
export class PlatformModule {
  static with(configuration: HubConfiguration): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: HubConfiguration, useValue: configuration },
        { provide: HubKey, useFactory: () => HubKey.read(configuration.keyFile) },
        { provide: MetricsKey, useFactory: () => MetricsKey.readOrMake(configuration.home) },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AtTheDoor,
        CommitDoubts,
        HubLog,
        HubMetrics,
        OwnOrigins,
      ],
      exports: [
        AtTheDoor,
        CommitDoubts,
        HubConfiguration,
        HubKey,
        HubLog,
        HubMetrics,
        MetricsKey,
        OwnOrigins,
      ],
    };
  }
}
