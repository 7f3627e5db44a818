import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AnswerCard, StartConversation } from '#contracts';
import { fieldErrors } from './schema-problems.js';

const problems = (schema: z.ZodType, value: unknown): ReturnType<typeof fieldErrors> =>
  fieldErrors(schema.safeParse(value).error?.issues ?? []);

describe('what is said of a wrong body', () => {
  it('[quality] a field deep inside is named by its path', () => {
    const wrong = { version: 1, answer: { choices: ['x'] }, signature: 'x'.repeat(86) };
    expect(problems(AnswerCard, wrong)[0]?.field).toBe('answer.choices.0');
  });

  it('[quality] ten thousand wrong options make a short answer', () => {
    const choices = Array.from({ length: 10_000 }, () => 'x');
    const said = problems(z.object({ choices: z.array(z.number()) }), { choices });
    expect(said).toHaveLength(21);
    expect(said.at(-1)?.problem).toBe('and 9980 further problems');
  });

  it('[quality] text that no database stores is refused in words', () => {
    const said = problems(StartConversation.pick({ folder: true }), { folder: '/tmp/\0' });
    expect(said).toEqual([{ field: 'folder', problem: 'must not contain the character U+0000' }]);
  });
});
