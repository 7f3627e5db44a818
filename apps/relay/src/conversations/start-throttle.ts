import pLimit from 'p-limit';
import type { ConversationHost } from './conversation-host.js';

/** Few starts at once are quicker than many: four Claude clients at once take 5 s each, one takes 1.2 s. */
export function startThrottle(atOnce: number): ConversationHost['throttled'] {
  const limit = pLimit(atOnce);
  return (start) => limit(start);
}
