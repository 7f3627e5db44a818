import { LIMITS, type Answer, type Card, type Question } from '#contracts';
import { z } from 'zod';

/** What a person has begun to answer. Ticks and text always go together (C2). */
export const CardDraft = z.object({
  choices: z.array(z.number().int().nonnegative()).max(LIMITS.options),
  text: z.string(),
  /** P10: whether the person switched a single choice to several. */
  several: z.boolean(),
});
export type CardDraft = z.infer<typeof CardDraft>;

export const EMPTY_DRAFT: CardDraft = { choices: [], text: '', several: false };

/** The draft as it is kept; empty when there is nothing to keep. */
export function draftAsText(draft: CardDraft): string {
  const empty = draft.choices.length === 0 && draft.text === '' && !draft.several;
  return empty ? '' : JSON.stringify(draft);
}

const questionIn = ({ body }: Card): Question | undefined =>
  body.kind === 'question' ? body : undefined;

/** A kept draft, for the card as it stands: choices that it no longer has are left out. */
export function draftFrom(kept: string, card: Card): CardDraft | undefined {
  if (kept === '') return undefined;
  try {
    const draft = CardDraft.parse(JSON.parse(kept));
    const choices = draft.choices.filter(
      (choice) => choice < (questionIn(card)?.options.length ?? 0),
    );
    return { ...draft, choices };
  } catch {
    return undefined;
  }
}

/** Where the person starts from: what was begun, else the answer that was given and may be changed (C6). */
export function startingDraft(kept: string, card: Card): CardDraft {
  const begun = draftFrom(kept, card);
  if (begun !== undefined) return begun;
  const given = card.settlement?.answer;
  if (given === undefined) return EMPTY_DRAFT;
  return {
    choices: given.choices,
    text: given.text ?? '',
    several: given.choices.length > 1 && questionIn(card)?.allowsSeveral === false,
  };
}

/** Whether ticks are gathered before anything is sent. */
export const takesSeveral = (question: Question, draft: CardDraft): boolean =>
  question.allowsSeveral || (question.offersSelectSeveral && draft.several);

/** Ticks or unticks a choice. */
export function ticked(draft: CardDraft, choice: number): CardDraft {
  const without = draft.choices.filter((held) => held !== choice);
  const choices = without.length < draft.choices.length ? without : [...without, choice];
  return { ...draft, choices };
}

/** The answer that stands in a draft; undefined when there is nothing to send yet. */
export function answerIn(draft: CardDraft): Answer | undefined {
  const text = draft.text.trim();
  const choices = [...draft.choices].sort((a, b) => a - b);
  if (choices.length === 0 && text === '') return undefined;
  return text === '' ? { choices } : { choices, text };
}
