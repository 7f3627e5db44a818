import { describe, expect, it } from '@jest/globals';
import { commentsText, planSections } from './plan-sections.js';

const PLAN = 'Before.\n\n# One\n\nFirst.\n\n```sh\n# no heading\n```\n\n## Two ##\n\nSecond.';

describe('the sections of a plan', () => {
  it('[M4] begin at its headings, not in its code', () => {
    expect(planSections(PLAN).map(({ heading }) => heading)).toEqual(['', 'One', 'Two']);
  });

  it('[M4] are together the whole plan', () => {
    expect(
      planSections(PLAN)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(PLAN);
  });
});

describe('comments on a plan', () => {
  it('[M4] quote the section that they are about', () => {
    const text = commentsText(planSections(PLAN), { 1: 'Do it later. ', 2: ' ' }, 'Else fine.');
    expect(text).toBe('> One\n\nDo it later.\n\nElse fine.');
  });

  it('[M4] are nothing where nothing was written', () => {
    expect(commentsText(planSections(PLAN), {}, ' ')).toBe('');
  });
});
