import type { MessageId } from '#contracts';
import type { ConversationState, Work } from '../journal/journal-shapes.js';
import type { Attempt } from '../journal/journal-shapes.js';
import type { AgentProcess } from './agent-process.js';

/** What is known of an earlier attempt of which no evidence was heard. */
export interface Tried {
  /** The client has it: nothing is left to do. */
  readonly taken: boolean;
  /** Nobody can tell, so the agent is told that it may hear this a second time (C11). */
  readonly possibleRepeat: boolean;
  /** The result can't be given to the call any more. */
  readonly as?: 'message';
}

/**
 * Asks the client's own record about an attempt that a crash cut off (link rule 4): taken, not taken, or nobody
 * can tell.
 */
export async function alreadyTried(of: {
  work: Work;
  attempt: Attempt;
  state: Readonly<ConversationState>;
  process: AgentProcess;
}): Promise<Tried> {
  switch (await recorded(of)) {
    case 'yes':
      return { taken: true, possibleRepeat: of.attempt.possibleRepeat };
    case 'no':
      return { taken: false, possibleRepeat: of.attempt.possibleRepeat };
    case 'unknown':
      return { taken: false, possibleRepeat: true, as: 'message' };
  }
}

async function recorded(of: {
  work: Work;
  attempt: Attempt;
  state: Readonly<ConversationState>;
  process: AgentProcess;
}): Promise<'yes' | 'no' | 'unknown'> {
  const { work, attempt, state, process } = of;
  if (state.sessionRef === undefined || state.spec === undefined) return 'unknown';
  const session = { sessionRef: state.sessionRef, folder: state.spec.folder };
  const lease = await process.provider().acquire();
  try {
    if (work.kind === 'answer' && attempt.way === 'tool') {
      return await lease.runtime.wasTaken({ ...session, toolCallId: work.give.toolCallId });
    }
    // An answer that goes as a message has the id of its request.
    const messageId = work.kind === 'answer' ? String(work.give.requestId) : work.messageId;
    return await lease.runtime.wasSent({ ...session, messageId: messageId as MessageId });
  } finally {
    lease.release();
  }
}
