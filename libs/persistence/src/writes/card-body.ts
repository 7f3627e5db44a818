import { CardBody, cutText, LIMITS, makeVisible } from '#contracts';

/**
 * A card's question as it is stored. What another version stored so that this one can't read it is shown as text and
 * says so: one card must not keep the inbox, or the deadlines of all others, from being read.
 */
export function cardBodyOf(stored: unknown): CardBody {
  // Stored by an earlier version perhaps: what this one added gets its default.
  const read = CardBody.safeParse(stored);
  if (read.success) return read.data;
  const text = makeVisible(JSON.stringify(stored, undefined, 2));
  return {
    kind: 'question',
    question: cutText(text, LIMITS.questionText),
    options: [],
    allowsSeveral: false,
    offersSelectSeveral: false,
    notes: [{ code: 'unreadable-shown-as-text', params: {} }],
  };
}
