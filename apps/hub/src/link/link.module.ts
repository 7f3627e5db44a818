import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { RelaysModule } from '../relays/relays.module.js';
import { TellingModule } from '../telling/telling.module.js';
import { AttachRelay } from './attach-relay.js';
import { ConversationFacts } from './conversation-facts.js';
import { Intake } from './intake.js';
import { KnowLocalRelay } from './know-local-relay.js';
import { Presence } from './presence.js';
import { RelayGateway } from './relay.gateway.js';
import { RelayTraffic } from './relay-traffic.js';

/** The hub's end of the link. */
@Module({
  imports: [LiveModule, RelaysModule, TellingModule],
  providers: [
    AttachRelay,
    ConversationFacts,
    Intake,
    KnowLocalRelay,
    Presence,
    RelayGateway,
    RelayTraffic,
  ],
})
export class LinkModule {}
