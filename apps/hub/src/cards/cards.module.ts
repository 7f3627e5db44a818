import { Module } from '@nestjs/common';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { TellingModule } from '../telling/telling.module.js';
import { CardsController } from './cards.controller.js';
import { DecideCard } from './decide-card.js';
import { ExpireCards } from './expire-cards.js';
import { ExtendDeadline } from './extend-deadline.js';

@Module({
  imports: [PasskeysModule, TellingModule],
  controllers: [CardsController],
  providers: [DecideCard, ExpireCards, ExtendDeadline],
})
export class CardsModule {}
