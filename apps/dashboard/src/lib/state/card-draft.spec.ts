import { describe, expect, it } from '@jest/globals';
import { CardId, ConversationId, RequestId, type Card, type Question } from '#contracts';
import {
  answerIn,
  draftAsText,
  draftFrom,
  EMPTY_DRAFT,
  startingDraft,
  takesSeveral,
  ticked,
} from './card-draft.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const aQuestion = (more: Partial<Question> = {}): Question => ({
  kind: 'question',
  question: 'Which?',
  options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }],
  allowsSeveral: false,
  offersSelectSeveral: false,
  notes: [],
  ...more,
});
const aCard = (body: Partial<Question> = {}, more: Partial<Card> = {}): Card => ({
  id: CardId.parse(uuid(1)),
  requestId: RequestId.parse(uuid(2)),
  conversationId: ConversationId.parse(uuid(3)),
  position: 0,
  version: 1,
  status: 'open',
  body: aQuestion(body),
  ...more,
});

describe('the answer that stands in a draft', () => {
  it('[C2] lists the ticks in the order shown, with the text', () => {
    const draft = ticked(ticked({ ...EMPTY_DRAFT, text: ' and this ' }, 2), 0);
    expect(answerIn(draft)).toEqual({ choices: [0, 2], text: 'and this' });
  });

  it('[C4] can be a text alone', () => {
    expect(answerIn({ ...EMPTY_DRAFT, text: 'my words' })).toEqual({
      choices: [],
      text: 'my words',
    });
  });

  it('[C2] is none where nothing is ticked and nothing typed', () => {
    expect(answerIn({ ...EMPTY_DRAFT, text: '  ' })).toBeUndefined();
  });

  it('[C2] loses a tick that is taken back, and keeps the others', () => {
    expect(ticked(ticked(ticked(EMPTY_DRAFT, 0), 1), 0).choices).toEqual([1]);
  });
});

describe('a draft', () => {
  it('[D6] is the same after it was kept', () => {
    const draft = { choices: [1], text: 'x', several: true };
    expect(draftFrom(draftAsText(draft), aCard())).toEqual(draft);
  });

  it('[D6] that is empty is not kept', () => {
    expect(draftAsText(EMPTY_DRAFT)).toBe('');
  });

  it('[C15] drops choices that the card no longer has', () => {
    const kept = draftAsText({ choices: [0, 7], text: 'x', several: false });
    expect(draftFrom(kept, aCard())).toEqual({ choices: [0], text: 'x', several: false });
  });

  it('[D6] that can’t be read is as if there were none', () => {
    expect(draftFrom('{broken', aCard())).toBeUndefined();
  });

  it('[C6] starts from the answer that was given where it may be changed', () => {
    const by = { principal: { kind: 'hub' }, name: 'x' } as const;
    const answer = { choices: [1], text: 'because' };
    const card = aCard(
      {},
      { status: 'answered', settlement: { outcome: 'answered', answer, by, at: 1 } },
    );
    expect(startingDraft('', card)).toEqual({ choices: [1], text: 'because', several: false });
  });
});

describe('whether ticks are gathered', () => {
  it('[C2] is so where the question allows several', () => {
    expect(takesSeveral(aQuestion({ allowsSeveral: true }), EMPTY_DRAFT)).toBe(true);
  });

  it('[P10] is so where the person switched it on', () => {
    const question = aQuestion({ offersSelectSeveral: true });
    expect(takesSeveral(question, { ...EMPTY_DRAFT, several: true })).toBe(true);
  });

  it('[P10] is not so where the switch is not offered', () => {
    expect(takesSeveral(aQuestion(), { ...EMPTY_DRAFT, several: true })).toBe(false);
  });
});
