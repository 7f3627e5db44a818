import { describe, expect, it } from '@jest/globals';
import type { Ground } from './ground.js';

/** What the model's API refuses, in words that a person understands. */
export function describeFailures(ground: Ground): void {
  describe('when the model fails', () => {
    it.each([
      ['no entry', 'authentication'],
      ['too fast', 'rate-limit'],
      ['it breaks', 'provider-error'],
      ['wire cut', 'provider-error'],
    ])('[P1] "%s" ends the turn as failed: %s, with advice', async (say, code) => {
      const { session, seen, ...conversation } = await failing(ground, say);
      const end = await seen.turnEnd();
      expect(end.outcome).toBe('failed');
      expect(end.failure?.code).toBe(code);
      expect(end.failure?.advice).toMatch(/\w/);
      await conversation.say('go on after all');
      expect((await seen.turnEnd(2)).outcome).toBe('done');
      await session.close();
    });

    it('[P1] a retry is said in words, and the turn goes on', async () => {
      const { session, seen } = await failing(ground, 'busy once');
      expect((await seen.turnEnd()).outcome).toBe('done');
      const [notice] = seen.of('notice');
      expect(notice).toMatchObject({ severity: 'warning', code: 'api-retry' });
      expect(notice?.text).toContain('Trying again in');
      expect(seen.of('text').map((block) => block.text)).toEqual(['Through.']);
      await session.close();
    });
  });
}

async function failing(ground: Ground, say: string) {
  const conversation = await ground.converse();
  await conversation.say(say);
  return {
    session: conversation.session,
    seen: conversation.seen,
    say: conversation.say.bind(conversation),
  };
}
