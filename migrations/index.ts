import { CreateClock1764547200000 } from './1764547200000-CreateClock.js';
import { CreatePeople1764547260000 } from './1764547260000-CreatePeople.js';
import { CreateRelays1764547320000 } from './1764547320000-CreateRelays.js';
import { CreateConversations1764547380000 } from './1764547380000-CreateConversations.js';
import { CreateRequests1764547440000 } from './1764547440000-CreateRequests.js';
import { CreateAudit1764547500000 } from './1764547500000-CreateAudit.js';
import { CreateAsPlanned1764547560000 } from './1764547560000-CreateAsPlanned.js';
import { WatchClock1764547620000 } from './1764547620000-WatchClock.js';
import { HoldRelayKeys1764547680000 } from './1764547680000-HoldRelayKeys.js';
import { RememberRuns1764547740000 } from './1764547740000-RememberRuns.js';
import { WarnOfLinks1764547800000 } from './1764547800000-WarnOfLinks.js';
import { AddPasskeys1764547860000 } from './1764547860000-AddPasskeys.js';
import { GrantLeave1764547920000 } from './1764547920000-GrantLeave.js';

/** Every migration, oldest first. Only ever added to. */
export const MIGRATIONS = [
  CreateClock1764547200000,
  CreatePeople1764547260000,
  CreateRelays1764547320000,
  CreateConversations1764547380000,
  CreateRequests1764547440000,
  CreateAudit1764547500000,
  CreateAsPlanned1764547560000,
  WatchClock1764547620000,
  HoldRelayKeys1764547680000,
  RememberRuns1764547740000,
  WarnOfLinks1764547800000,
  AddPasskeys1764547860000,
  GrantLeave1764547920000,
];
