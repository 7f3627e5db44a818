import type { ConversationState, ProcessState, TurnState } from '#contracts';

export interface ConversationFacts {
  readonly process: ProcessState;
  readonly turn: TurnState;
  readonly openCards: number;
  /** P13: the provider has no question tool, so a turn that ended waits for a reply. */
  readonly repliesInText: boolean;
}

const AT_REST: {
  [T in Exclude<TurnState, 'due' | 'running'>]: (facts: ConversationFacts) => ConversationState;
} = {
  none: (facts) => (facts.process === 'asleep' ? 'asleep' : 'idle'),
  done: (facts) =>
    facts.repliesInText ? 'waiting-for-reply' : facts.process === 'asleep' ? 'asleep' : 'idle',
  interrupted: (facts) => (facts.process === 'asleep' ? 'asleep' : 'idle'),
  failed: () => 'failed',
};

/** The one word for a conversation. An open card outweighs everything: a person is waited for (C5). */
export function conversationState(facts: ConversationFacts): ConversationState {
  if (facts.openCards > 0) return 'waiting-on-you';
  if (facts.turn === 'due') return facts.process === 'live' ? 'running' : 'starting';
  if (facts.turn === 'running') return 'running';
  return AT_REST[facts.turn](facts);
}
