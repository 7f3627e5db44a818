import {
  LIMITS,
  type GiveAnswer,
  type HubMessage,
  type RelayMessageOf,
  type ToldBack,
} from '#contracts';
import { inParts } from '#domain';
import type { Said } from '../journal/journal-reading.js';
import type { ConversationState, UnreadableMessage } from '../journal/journal-shapes.js';
import { jsonBytes } from '../outgoing/frame-budget.js';

/** Room in a frame beside what is told back. */
const ROOM_BYTES = LIMITS.linkFrameBytes / 2;
const MOST_IN_ONE = 50;

/**
 * Link rule 10: what the hub had said and lost, as messages that each fit a frame. The last is `done` and names the calls
 * that still wait.
 */
export function toldBack(
  { messages, progress }: Said,
  state: Readonly<ConversationState>,
): RelayMessageOf<'told-back'>[] {
  const said = messages.flatMap((message) => {
    const one = backOf(message, { progress, state });
    return one === undefined ? [] : [one];
  });
  const most = { bytes: ROOM_BYTES, count: MOST_IN_ONE };
  const filled = inParts(said, jsonBytes, most);
  // Nothing to tell is told as well: the hub waits for the part that is `done`.
  const parts = filled.length === 0 ? [[]] : filled;
  return parts.map((part, at) => ({
    kind: 'told-back',
    said: part,
    done: at === parts.length - 1,
    ...(at === parts.length - 1 ? { waiting: [...state.waiting], atWork: isAtWork(state) } : {}),
  }));
}

const isAtWork = ({ turnId, work }: Readonly<ConversationState>): boolean =>
  turnId !== undefined || work.some(({ kind }) => kind === 'message');

function backOf(
  message: HubMessage | UnreadableMessage,
  of: { readonly progress: Said['progress']; readonly state: Readonly<ConversationState> },
): ToldBack | undefined {
  if (message.kind === 'send-message') {
    const { messageId, text } = message;
    return { kind: 'message', messageId, text: fitted(text) };
  }
  return message.kind === 'give-answer' ? answerBack(message, of) : undefined;
}

function answerBack(
  give: GiveAnswer,
  {
    progress,
    state,
  }: { readonly progress: Said['progress']; readonly state: Readonly<ConversationState> },
): ToldBack {
  const { requestId, toolCallId, outcome } = give;
  const last = progress.get(requestId);
  const work = state.work.find((one) => one.kind === 'answer' && one.give.requestId === requestId);
  return {
    ...{ kind: 'answer', requestId, toolCallId, outcome },
    cards: give.cards.map(({ question: _question, ...result }) => result),
    // Work that is no longer there has come to its end, whatever is still kept of it.
    delivery: last?.delivery ?? (work === undefined ? 'delivered' : 'pending'),
    possibleRepeat: last?.possibleRepeat ?? false,
  };
}

/** A text that would fill a frame by itself is cut, and says so. */
function fitted(text: string): string {
  if (Buffer.byteLength(text) <= ROOM_BYTES) return text;
  const cut = Buffer.from(text)
    .subarray(0, ROOM_BYTES - 200)
    .toString()
    .replace(/\uFFFD+$/, '');
  return `${cut}\n… (${text.length} characters; only this much was told back after the hub lost it)`;
}
