import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { TellingModule } from '../telling/telling.module.js';
import { CardsController } from './cards.controller.js';
import { DecideCard } from './decide-card.js';
import { DecisionDemands } from './decision-demands.js';
import { ExpireCards } from './expire-cards.js';
import { ExtendDeadline } from './extend-deadline.js';

@Module({
  imports: [ConversationsModule, PasskeysModule, TellingModule],
  controllers: [CardsController],
  providers: [DecideCard, DecisionDemands, ExpireCards, ExtendDeadline],
})
export class CardsModule {}
