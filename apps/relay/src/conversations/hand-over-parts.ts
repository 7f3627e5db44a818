import type { Journal } from '../journal/journal.js';
import type { AgentProcess } from './agent-process.js';
import type { ConversationHost } from './conversation-host.js';
import type { Outlet } from './outlet.js';

/** What handing over works with: where it is written down, who is told, and whose client it goes to. */
export interface HandOverParts {
  readonly journal: Journal;
  readonly outlet: Outlet;
  readonly process: AgentProcess;
  readonly host: ConversationHost;
}
