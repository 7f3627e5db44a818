import { z } from 'zod';
import { AgentEvent } from './agent-events.js';
import { Verdict } from './actions.js';
import { Answer, CardBody, CardOutcome } from './cards.js';
import { ProcessState } from './conversations.js';
import {
  ConversationId,
  Duration,
  MessageId,
  ProviderId,
  Reached,
  RequestId,
  Sequence,
  ToolCallId,
  TurnId,
} from './ids.js';
import { LIMITS } from './limits.js';
import { RelayMode } from './modes.js';
import { storableText } from './text.js';

/** The link's version; a hub and a relay of different ones say so and do not talk. */
export const LINK_PROTOCOL = 1;

/** Counts the assignments of a conversation to a relay; a write with an older one is refused (rule 2). */
export const Epoch = Sequence;
/** The running number of a message in one direction of one conversation, from 1 in each epoch. */
export const MessageNumber = Sequence;
/** What has been received so far; 0 before the first. */
export const ReceivedUpTo = Reached;

/** What one card of a closed request is told to the agent as. */
export const CardResult = z.object({
  question: CardBody,
  outcome: CardOutcome,
  answer: Answer.optional(),
  verdict: Verdict.optional(),
});
export type CardResult = z.infer<typeof CardResult>;

/** Hub → relay: the end of a request, to be handed to the client once (rule 4). */
export const GiveAnswer = z.object({
  kind: z.literal('give-answer'),
  requestId: RequestId,
  toolCallId: ToolCallId,
  outcome: CardOutcome,
  /** The mode in force when the request closed: it decides how the agent goes on (M5). */
  mode: RelayMode,
  cards: z.array(CardResult).min(1),
});
export type GiveAnswer = z.infer<typeof GiveAnswer>;

export const SessionSpec = z.object({
  provider: ProviderId,
  engine: z.string().max(40).optional(),
  model: z.string().max(200).optional(),
  folder: storableText(LIMITS.folder, 1),
  mode: RelayMode,
  modeVersion: Sequence,
});
export type SessionSpec = z.infer<typeof SessionSpec>;

export const HubMessage = z.discriminatedUnion('kind', [
  /** First message of an assignment: what to run. Starts no process by itself. */
  z.object({ kind: z.literal('assign'), session: SessionSpec }),
  /** Starts or resumes the agent where needed. */
  z.object({
    kind: z.literal('send-message'),
    messageId: MessageId,
    text: storableText(LIMITS.messageText, 1),
  }),
  GiveAnswer,
  /** The person wants what could not be handed to the agent to be tried again. */
  z.object({ kind: z.literal('try-again') }),
  /** The running turn ends; open requests in it are closed by the hub. */
  z.object({ kind: z.literal('interrupt') }),
  z.object({
    kind: z.literal('set-mode'),
    mode: RelayMode,
    modeVersion: Sequence,
  }),
  /** The conversation was deleted: end the process, forget the journal. */
  z.object({ kind: z.literal('forget') }),
]);
export type HubMessage = z.infer<typeof HubMessage>;

export const HubEnvelope = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: MessageNumber,
  message: HubMessage,
});
export type HubEnvelope = z.infer<typeof HubEnvelope>;

/** Relay → hub: an agent asks. The hub gives out the ids. */
export const AskRequest = z.object({
  kind: z.literal('ask'),
  toolCallId: ToolCallId,
  turnId: TurnId.optional(),
  /** What each card asks; an approval or a plan stands alone. */
  questions: z.array(CardBody).min(1).max(LIMITS.questions),
  /** Where the provider's contract has a time-out of its own; otherwise the descriptor's. */
  waits: Duration.optional(),
  askedBy: storableText(LIMITS.header).optional(),
});
export type AskRequest = z.infer<typeof AskRequest>;

/** What a relay knows of a request that the hub may think is open (rule 3). */
export const RequestOnRelay = z.object({
  toolCallId: ToolCallId,
  /** `live`: the client waits in it. `detached`: the process is gone and can be resumed. */
  state: z.enum(['live', 'detached', 'unknown']),
});
export type RequestOnRelay = z.infer<typeof RequestOnRelay>;

/** Something of the hub's that a relay had taken when the hub lost it (rule 10). */
export const ToldBack = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    messageId: MessageId,
    text: storableText(LIMITS.messageText, 1),
  }),
  z.object({
    kind: z.literal('answer'),
    requestId: RequestId,
    toolCallId: ToolCallId,
    outcome: CardOutcome,
    /** Each card's outcome, in their order. */
    cards: z.array(CardResult.omit({ question: true })).min(1),
    /** How far it has come; `pending` where the agent has not got it yet. */
    delivery: z.enum(['pending', 'handed', 'sent', 'delivered', 'superseded']),
    possibleRepeat: z.boolean(),
  }),
]);
export type ToldBack = z.infer<typeof ToldBack>;

export const RelayMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent-events'), events: z.array(AgentEvent).min(1).max(200) }),
  AskRequest,
  /** The client withdrew a question, or its process is gone for good. Never sent for a mere disconnect. */
  z.object({
    kind: z.literal('request-ended'),
    toolCallId: ToolCallId,
    outcome: z.enum(['cancelled', 'lost']),
  }),
  z.object({ kind: z.literal('process'), state: ProcessState }),
  /** The client's own name of the session, to resume it by. */
  z.object({ kind: z.literal('session-started'), sessionRef: z.string().min(1).max(400) }),
  /** The client has the message; from here it is not cancelled any more. */
  z.object({ kind: z.literal('message-picked-up'), messageId: MessageId }),
  z.object({
    kind: z.literal('answer-progress'),
    requestId: RequestId,
    delivery: z.enum(['handed', 'sent', 'delivered', 'superseded']),
    possibleRepeat: z.boolean(),
    /** By which a hub finds the request that had to give it another id (rule 10). */
    toolCallId: ToolCallId.optional(),
  }),
  z.object({ kind: z.literal('mode-acknowledged'), version: Sequence }),
  /** Rule 3: sent first after each attach. */
  z.object({
    kind: z.literal('snapshot'),
    process: ProcessState,
    requests: z.array(RequestOnRelay),
  }),
  /** Rule 6: stands where a message stood that the hub refused for good. */
  z.object({
    kind: z.literal('tombstone'),
    what: z.string().max(80),
    reason: storableText(4_000),
    /** Rule 10: how many numbers, from its own on, are kept no more; what follows has the next one. */
    missing: MessageNumber.optional(),
  }),
  /** Rule 10: what the hub said and does not remember, told back to it; the last of several messages is `done`. */
  z.object({
    kind: z.literal('told-back'),
    said: z.array(ToldBack).max(100),
    done: z.boolean(),
    /** With `done`: the calls that still wait; nobody waits in any other. */
    waiting: z.array(ToolCallId).optional(),
    /** With `done`: whether a turn runs or is about to. Its end may be among what is kept no more. */
    atWork: z.boolean().optional(),
  }),
]);
export type RelayMessage = z.infer<typeof RelayMessage>;
export type RelayMessageOf<K extends RelayMessage['kind']> = Extract<RelayMessage, { kind: K }>;

export const RelayEnvelope = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: MessageNumber,
  message: RelayMessage,
});
export type RelayEnvelope = z.infer<typeof RelayEnvelope>;

/** Cumulative: everything up to `n` is committed (hub) or fsynced (relay). */
export const Acknowledgement = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: ReceivedUpTo,
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;
