import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { RelaysModule } from '../relays/relays.module.js';
import { CatchUp } from './catch-up.js';
import { Chronicle } from './chronicle.js';
import { DeadlineTimer } from './deadline-timer.js';
import { KnownCards } from './known-cards.js';
import { Tell } from './tell.js';

@Module({
  imports: [LiveModule, RelaysModule],
  providers: [CatchUp, Chronicle, DeadlineTimer, KnownCards, Tell],
  exports: [CatchUp, DeadlineTimer, KnownCards, Tell],
})
export class TellingModule {}
