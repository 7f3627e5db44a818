import type {
  AgentEvent,
  AgentEventOf,
  AskRequest,
  CardId,
  Duration,
  RelayMessage,
  RelayMessageOf,
  RequestId,
} from '#contracts';
import { canonicalQuestions } from '../cards/canonical.js';
import { lastLineOf, lastPlainLineOf } from '../conversations/title.js';
import type { ConversationPatch, IntakeEffect, NewRequest } from '../ports/writes.js';

export interface IntakeContext {
  /** For a request that this message may open. */
  readonly newRequestId: () => RequestId;
  readonly newCardId: () => CardId;
  /** How long the provider's cards wait where the call says nothing. */
  readonly cardWaits: Duration;
}

const nothing: IntakeEffect = { events: [], patch: {} };

const EFFECTS: {
  [K in RelayMessage['kind']]: (message: RelayMessageOf<K>, context: IntakeContext) => IntakeEffect;
} = {
  'agent-events': (message) => agentEvents(message.events),
  ask: (message, context) => ({ ...nothing, open: newRequest(message, context) }),
  'request-ended': ({ toolCallId, outcome }) => ({ ...nothing, close: { toolCallId, outcome } }),
  process: processChanged,
  'session-started': ({ sessionRef }) => ({ ...nothing, patch: { sessionRef } }),
  'message-picked-up': ({ messageId }) => ({ ...nothing, pickedUp: messageId }),
  'answer-progress': ({ requestId, toolCallId, delivery, possibleRepeat }) => ({
    ...nothing,
    delivery: {
      ...{ requestId, delivery, possibleRepeat },
      ...(toolCallId === undefined ? {} : { toolCallId }),
    },
  }),
  'mode-acknowledged': ({ version }) => ({ ...nothing, modeAcknowledged: version }),
  snapshot,
  tombstone: ({ kind: _kind, ...tombstone }) => ({
    ...nothing,
    events: [{ kind: 'tombstone', ...tombstone }],
    ...(tombstone.missing === undefined ? {} : { standsFor: tombstone.missing }),
  }),
  'told-back': ({ said, done, waiting, atWork }) => ({
    ...nothing,
    toldBack: {
      said,
      ...(done ? { now: { waiting: waiting ?? [], atWork: atWork ?? false } } : {}),
    },
  }),
};

/** What a relay's message does to its conversation. */
export function intakeEffect(message: RelayMessage, context: IntakeContext): IntakeEffect {
  const effect = EFFECTS[message.kind] as (
    of: RelayMessage,
    context: IntakeContext,
  ) => IntakeEffect;
  return effect(message, context);
}

function agentEvents(message: readonly AgentEvent[]): IntakeEffect {
  return {
    events: [...message],
    patch: Object.assign({}, ...message.map(patchOf)) as ConversationPatch,
  };
}

const PATCHES: { [K in AgentEvent['kind']]: (event: AgentEventOf<K>) => ConversationPatch } = {
  'turn-started': () => ({ turn: 'running', failure: null }),
  'turn-ended': (event) => ({ turn: event.outcome, failure: event.failure ?? null }),
  text: (event) =>
    event.parentToolCallId === undefined ? { lastLine: lastLineOf(event.text) } : {},
  'tool-called': (event) =>
    event.parentToolCallId === undefined
      ? { lastLine: lastPlainLineOf(event.title || event.tool) }
      : {},
  thought: () => ({}),
  'tool-returned': () => ({}),
  // A retry may be all that there is for minutes: the board says it rather than nothing.
  notice: ({ severity, text }) => (severity === 'info' ? {} : { lastLine: lastPlainLineOf(text) }),
};

function patchOf(event: AgentEvent): ConversationPatch {
  return (PATCHES[event.kind] as (of: AgentEvent) => ConversationPatch)(event);
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
