import { Module } from '@nestjs/common';
import { AskRelay } from './ask-relay.js';
import { Outbox } from './outbox.js';
import { RelayConnections } from './relay-connections.js';
import { RelayDirectory } from './relay-directory.js';
import { RelaysController } from './relays.controller.js';

/** The relays: who is there, what they can do, what is on its way to them. */
@Module({
  controllers: [RelaysController],
  providers: [AskRelay, Outbox, RelayConnections, RelayDirectory],
  exports: [Outbox, RelayConnections, RelayDirectory],
})
export class RelaysModule {}
