import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LIMITS, Question } from '#contracts';
import { shownQuestion, unreadableQuestion, type RawQuestion } from './questions.js';

const raw = (more: Partial<RawQuestion>): RawQuestion => ({
  question: 'Which?',
  options: [{ label: 'A' }, { label: 'B' }],
  allowsSeveral: false,
  ...more,
});
const labels = (...names: string[]) => names.map((label) => ({ label }));

describe('a question as it is shown', () => {
  it.each(['Other', 'other', ' OTHER… ', 'Other (please specify)', 'Something else'])(
    '[C4] the agent’s own %j is not shown twice',
    (label) => {
      const { question, labels: kept } = shownQuestion(raw({ options: labels('A', label, 'B') }));
      expect(question.options.map((option) => option.label)).toEqual(['A', 'B']);
      expect(kept).toEqual(['A', 'B']);
      expect(question.notes).toEqual([{ code: 'other-removed', params: { removed: '1' } }]);
    },
  );

  it.each(['Other people', 'Another one', 'The other database'])(
    '[C4] %j is a choice like any other',
    (label) => {
      expect(shownQuestion(raw({ options: labels('A', label) })).question.options).toHaveLength(2);
    },
  );

  it('[P14] the recommended choice is marked and its label kept', () => {
    const { question } = shownQuestion(raw({ options: labels('A', 'B (Recommended)') }));
    expect(question).toMatchObject({ recommended: 1, options: [{}, { label: 'B (Recommended)' }] });
  });

  it('[quality] of 10,000 options the first are kept, and the card says how many are not', () => {
    const options = labels(...Array.from({ length: 10_000 }, (_, at) => `Option ${at}`));
    const { question } = shownQuestion(raw({ options }));
    expect(question.options).toHaveLength(LIMITS.options);
    expect(question.notes).toEqual([
      { code: 'options-dropped', params: { kept: '100', dropped: '9900' } },
    ]);
  });

  it('[quality] a question of a megabyte is cut, and the card says so', () => {
    const { question } = shownQuestion(raw({ question: 'x'.repeat(1_000_000) }));
    expect(question.question).toHaveLength(LIMITS.questionText);
    expect(question.notes).toEqual([
      { code: 'text-cut', params: { field: 'question', kept: '20000', dropped: '980000' } },
    ]);
  });

  it('[quality] NUL and half a surrogate pair are made visible', () => {
    const { question } = shownQuestion(raw({ question: 'a\u0000b\ud83d', header: '\udc00' }));
    expect(question).toMatchObject({ question: 'a␀b\ufffd', header: '\ufffd' });
  });

  it('[P] fields that are not known are named on the card', () => {
    const { question } = shownQuestion(raw({ unknownFields: ['priority', 'icon'] }));
    expect(question.notes).toEqual([
      { code: 'unknown-fields', params: { fields: 'priority, icon' } },
    ]);
  });

  it('[P] a call that can’t be read is shown as the text that it is', () => {
    const { question } = unreadableQuestion({ ask: 'what?' });
    expect(question.question).toContain('"ask": "what?"');
    expect(question.notes.map((note) => note.code)).toEqual(['unreadable-shown-as-text']);
  });

  it('[quality] whatever comes in, what is shown is what the contracts allow', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const option = fc.record({ label: text, description: text, preview: text });
    const anyQuestion = fc.record({
      question: text,
      header: text,
      options: fc.array(option, { maxLength: 130 }),
      allowsSeveral: fc.boolean(),
      unknownFields: fc.array(text),
    });
    fc.assert(
      fc.property(anyQuestion, (anything) => {
        const { question, labels: kept } = shownQuestion(anything);
        expect(Question.parse(question)).toEqual(question);
        expect(kept).toHaveLength(question.options.length);
      }),
    );
  });
});
