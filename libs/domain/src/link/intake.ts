import type {
  AgentEvent,
  AskRequest,
  CardId,
  Duration,
  EventBody,
  RelayMessage,
  RelayMessageOf,
  RequestId,
} from '#contracts';
import { canonicalQuestions } from '../cards/canonical.js';
import { lastLineOf } from '../conversations/title.js';
import type { ConversationPatch, IntakeEffect, NewRequest } from '../ports/writes.js';

export interface IntakeContext {
  /** For a request that this message may open. */
  readonly newRequestId: () => RequestId;
  readonly newCardId: () => CardId;
  /** How long the provider's cards wait where the call says nothing. */
  readonly cardWaits: Duration;
}

const nothing: IntakeEffect = { events: [], patch: {} };

/** What a relay's message does to its conversation. */
export function intakeEffect(message: RelayMessage, context: IntakeContext): IntakeEffect {
  switch (message.kind) {
    case 'agent-events':
      return agentEvents(message.events);
    case 'ask':
      return { ...nothing, open: newRequest(message, context) };
    case 'request-ended':
      return { ...nothing, close: { toolCallId: message.toolCallId, outcome: message.outcome } };
    case 'process':
      return processChanged(message);
    case 'session-started':
      return { ...nothing, patch: { sessionRef: message.sessionRef } };
    case 'message-picked-up':
      return { ...nothing, pickedUp: message.messageId };
    case 'answer-progress':
      return {
        ...nothing,
        delivery: {
          requestId: message.requestId,
          delivery: message.delivery,
          possibleRepeat: message.possibleRepeat,
        },
      };
    case 'mode-acknowledged':
      return { ...nothing, modeAcknowledged: message.version };
    case 'snapshot':
      return snapshot(message);
    case 'tombstone':
      return {
        ...nothing,
        events: [{ kind: 'tombstone', what: message.what, reason: message.reason }],
      };
  }
}

function agentEvents(events: readonly AgentEvent[]): IntakeEffect {
  const stored: EventBody[] = [...events];
  return {
    events: stored,
    patch: events.reduce<ConversationPatch>(
      (patch, event) => ({ ...patch, ...patchOf(event) }),
      {},
    ),
  };
}

function patchOf(event: AgentEvent): ConversationPatch {
  switch (event.kind) {
    case 'turn-started':
      return { turn: 'running', failure: null };
    case 'turn-ended':
      return { turn: event.outcome, failure: event.failure ?? null };
    case 'text':
      return event.parentToolCallId === undefined ? { lastLine: lastLineOf(event.text) } : {};
    case 'tool-called':
      return event.parentToolCallId === undefined
        ? { lastLine: lastLineOf(event.title || event.tool) }
        : {};
    case 'thought':
    case 'tool-returned':
    case 'notice':
      return {};
  }
}

function newRequest(ask: AskRequest, context: IntakeContext): NewRequest {
  const request: NewRequest = {
    requestId: context.newRequestId(),
    cardIds: ask.questions.map(context.newCardId),
    toolCallId: ask.toolCallId,
    questions: ask.questions,
    canonical: canonicalQuestions(ask.questions),
    waits: ask.waits ?? context.cardWaits,
    deadlineOurs: ask.waits === undefined,
  };
  return {
    ...request,
    ...(ask.turnId === undefined ? {} : { turnId: ask.turnId }),
    ...(ask.askedBy === undefined ? {} : { askedBy: ask.askedBy }),
  };
}

/** A process that is not live holds no call open: its cards wait detached (C9). */
function processChanged(message: RelayMessageOf<'process'>): IntakeEffect {
  const patch = { process: message.state };
  return message.state === 'asleep' || message.state === 'gone'
    ? { ...nothing, patch, allDetached: true }
    : { ...nothing, patch };
}

/** Rule 3: a request is marked as the relay knows it; one that is missing is left as it is. */
function snapshot(message: RelayMessageOf<'snapshot'>): IntakeEffect {
  return {
    ...nothing,
    patch: { process: message.process },
    detached: message.requests.map((request) => ({
      toolCallId: request.toolCallId,
      detached: request.state !== 'live',
    })),
  };
}
