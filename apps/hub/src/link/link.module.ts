import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { RelaysModule } from '../relays/relays.module.js';
import { TellingModule } from '../telling/telling.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { AfterRestoration } from './after-restoration.js';
import { AttachRelay } from './attach-relay.js';
import { ComparePlaces } from './compare-places.js';
import { ConversationFacts } from './conversation-facts.js';
import { HolderAlarm } from './holder-alarm.js';
import { Intake } from './intake.js';
import { KeyHolders } from './key-holders.js';
import { KnowLocalRelay } from './know-local-relay.js';
import { LinkController } from './link.controller.js';
import { Presence } from './presence.js';
import { RelayGateway } from './relay.gateway.js';
import { RelayTokens } from './relay-tokens.js';
import { RelayTraffic } from './relay-traffic.js';
import { ResetRelay } from './reset-relay.js';

/** The hub's end of the link. */
@Module({
  imports: [IdentityModule, LiveModule, RelaysModule, TellingModule],
  controllers: [LinkController],
  providers: [
    AfterRestoration,
    AttachRelay,
    ComparePlaces,
    ConversationFacts,
    HolderAlarm,
    Intake,
    KeyHolders,
    KnowLocalRelay,
    Presence,
    RelayGateway,
    RelayTokens,
    RelayTraffic,
    ResetRelay,
  ],
})
export class LinkModule {}
