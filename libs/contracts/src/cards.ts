import { z } from 'zod';
import { Action, Verdict } from './actions.js';
import { CardId, ConversationId, Instant, RequestId, Sequence, ToolCallId, TurnId } from './ids.js';
import { LIMITS } from './limits.js';
import { Actor } from './principals.js';
import { storableText } from './text.js';

/** One choice of a question. */
export const QuestionOption = z.object({
  label: storableText(LIMITS.optionLabel),
  description: storableText(LIMITS.optionDescription).optional(),
  /** Markdown that shows what the choice would look like. */
  preview: storableText(LIMITS.optionPreview).optional(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** Something that a rule cut or that we did not know, said on the card; nothing is cut silently. */
export const CardNote = z.object({
  code: z.enum([
    'options-dropped',
    'text-cut',
    'other-removed',
    'unreadable-shown-as-text',
    'unknown-fields',
  ]),
  /** Numbers and names to put into the sentence, such as `{ kept: '100', dropped: '9900' }`. */
  params: z.record(z.string(), storableText(LIMITS.optionDescription)),
});
export type CardNote = z.infer<typeof CardNote>;

/** A question as an agent asked it (C1, C2). Free text is always possible (C4), so no flag says it. */
export const Question = z.object({
  kind: z.literal('question'),
  header: storableText(LIMITS.header).optional(),
  question: storableText(LIMITS.questionText),
  options: z.array(QuestionOption).max(LIMITS.options),
  /** C2: check marks and one button, instead of one tap. */
  allowsSeveral: z.boolean(),
  /** P10: the person may switch a single choice to several. */
  offersSelectSeveral: z.boolean().default(false),
  /** Index of the option that the agent recommends; marked, not chosen. */
  recommended: z.number().int().nonnegative().optional(),
  notes: z.array(CardNote).default([]),
});
export type Question = z.infer<typeof Question>;

/** An action that waits for leave (M3). */
export const Approval = z.object({
  kind: z.literal('approval'),
  action: Action,
  notes: z.array(CardNote).default([]),
});
export type Approval = z.infer<typeof Approval>;

/** An agent's plan that waits for approval (M4), as markdown. */
export const PlanProposal = z.object({
  kind: z.literal('plan'),
  plan: storableText(LIMITS.planText),
  notes: z.array(CardNote).default([]),
});
export type PlanProposal = z.infer<typeof PlanProposal>;

/** What a card asks. Forms join this union. */
export const CardBody = z.discriminatedUnion('kind', [Question, Approval, PlanProposal]);
export type CardBody = z.infer<typeof CardBody>;

/** An answer: ticked choices by their place in the question's options, and text. One of them at least. */
export const Answer = z
  .object({
    choices: z.array(z.number().int().nonnegative()).max(LIMITS.options),
    text: storableText(LIMITS.answerText).optional(),
  })
  .refine((answer) => answer.choices.length > 0 || (answer.text ?? '').trim() !== '', {
    message: 'must tick a choice or type a text',
  });
export type Answer = z.infer<typeof Answer>;

/** C9: how a card ended. `open` is the only state that can change into another. */
export const CardStatus = z.enum(['open', 'answered', 'skipped', 'expired', 'cancelled', 'lost']);
export type CardStatus = z.infer<typeof CardStatus>;
export const CardOutcome = CardStatus.exclude(['open']);
export type CardOutcome = z.infer<typeof CardOutcome>;

/** How a card was settled: who, when, with what (C10, C13). */
export const Settlement = z.object({
  outcome: CardOutcome,
  answer: Answer.optional(),
  /** What was decided about an action or a plan; its outcome is `answered`. */
  verdict: Verdict.optional(),
  by: Actor,
  at: Instant,
});
export type Settlement = z.infer<typeof Settlement>;

export const Card = z.object({
  id: CardId,
  requestId: RequestId,
  conversationId: ConversationId,
  /** Place in the request, from 0. */
  position: z.number().int().nonnegative(),
  /** C15: an answer names it; it grows with every settlement or change. */
  version: Sequence,
  body: CardBody,
  status: CardStatus,
  settlement: Settlement.optional(),
});
export type Card = z.infer<typeof Card>;

/**
 * C11: where the result of a closed request is on its way to the agent. `sent` is the end where a client
 * gives no evidence, `delivered` where it does; `superseded` when the person stopped the turn.
 */
export const Delivery = z.enum(['none', 'pending', 'handed', 'sent', 'delivered', 'superseded']);
export type Delivery = z.infer<typeof Delivery>;

/** One tool call that waits, with its cards (C6). */
export const CardRequest = z.object({
  id: RequestId,
  conversationId: ConversationId,
  turnId: TurnId.optional(),
  toolCallId: ToolCallId,
  status: z.enum(['open', 'closed']),
  /** Set when closed: `answered` when every card was answered or skipped by a person. */
  outcome: CardOutcome.optional(),
  openedAt: Instant,
  deadlineAt: Instant,
  /** Whether the deadline is the hub's own and can be extended (C7). */
  deadlineOurs: z.boolean(),
  /** C7: when the hub moved the deadline by itself, because nobody could answer for over a minute before. */
  timeGivenAt: Instant.optional(),
  /** C9: the agent's process is gone and will be resumed to take the answer. */
  detached: z.boolean(),
  delivery: Delivery,
  /** Whether the answer was sent marked as a possible repeat (C11). */
  possibleRepeat: z.boolean(),
  /** The sub-agent that asks, in the agent's own words, where there is one. */
  askedBy: storableText(LIMITS.header).optional(),
  /** Grows with each change of the request or one of its cards; devices keep the larger one. */
  version: Sequence,
  cards: z.array(Card).min(1).max(LIMITS.questions),
});
export type CardRequest = z.infer<typeof CardRequest>;
