import { describe, expect, it } from '@jest/globals';
import { AgentEvent, Delta, ProviderDescriptor } from '#contracts';
import type { Ground } from './ground.js';

/** Streams, thoughts, tools and usage. */
export function describeWork(ground: Ground): void {
  const { descriptor } = ground.subject.driver;

  describe('at work', () => {
    it('[P1, P2] its descriptor is what the contracts ask for', () => {
      expect(ProviderDescriptor.parse(descriptor)).toEqual(descriptor);
    });

    it('[D3] a turn is told from its start to its end, with text and thoughts in between', async () => {
      const { session, seen, ...conversation } = await startAndSay(ground, 'tell me');
      await seen.turnEnd();
      expect(await seen.until(() => seen.pickedUpMessages[0])).toBe(conversation.messageId);
      const kinds = seen.events.map((event) => event.kind);
      const thought = descriptor.capabilities.thoughts ? ['thought'] : [];
      expect(kinds).toEqual(['turn-started', ...thought, 'text', 'turn-ended']);
      expect(seen.of('text')[0]?.text).toBe('Good morning.\n\n- one\n- two');
      await session.close();
    });

    it('[link.6] every event and every delta is what the contracts allow', async () => {
      const { session, seen } = await startAndSay(ground, 'work on it');
      await seen.turnEnd();
      for (const event of seen.events) expect(AgentEvent.parse(event)).toEqual(event);
      for (const delta of seen.deltas) expect(Delta.parse(delta)).toEqual(delta);
      await session.close();
    });

    it('[D3] text is shown piece by piece before the block is whole, under the same id', async () => {
      const { session, seen } = await startAndSay(ground, 'stream it');
      await ground.rig().model.held('mid-text');
      const first = await seen.until(() => seen.deltas.find((delta) => delta.kind === 'text'));
      expect(first).toMatchObject({ offset: 0, text: 'First half, ' });
      ground.rig().model.release('mid-text');
      await seen.turnEnd();
      const [whole] = seen.of('text');
      expect(whole).toMatchObject({ blockId: first.blockId, text: 'First half, ' });
      await session.close();
    });

    it('[D3] a tool call is told with its arguments, and its result with its output', async () => {
      const { session, seen } = await startAndSay(ground, 'work on it');
      await seen.turnEnd();
      expect(seen.of('tool-called').map((call) => call.toolCallId)).toEqual(['call-a', 'call-b']);
      expect(JSON.stringify(seen.of('tool-called')[0]?.input)).toContain('alpha');
      expect(seen.of('tool-called')[0]?.title).not.toBe('');
      const back = seen
        .of('tool-returned')
        .map(({ toolCallId, output, failed }) => ({ toolCallId, failed, output: output.trim() }));
      expect(back).toContainEqual({ toolCallId: 'call-a', failed: false, output: 'alpha' });
      expect(back).toContainEqual({ toolCallId: 'call-b', failed: false, output: 'beta' });
      await session.close();
    });

    it('[D10] the tokens of a turn are told, and the cost only where it is right', async () => {
      const { session, seen } = await startAndSay(ground, 'tell me');
      const end = await seen.turnEnd();
      expect(end.usage?.inputTokens).toBeGreaterThan(0);
      expect(end.usage?.outputTokens).toBeGreaterThan(0);
      expect(end.usage?.costUsd !== undefined).toBe(descriptor.capabilities.reportsCost);
      await session.close();
    });

    it('[P] what the client does not know of the model breaks nothing', async () => {
      const { session, seen } = await startAndSay(ground, 'strange things');
      expect((await seen.turnEnd()).outcome).toBe('done');
      expect(seen.of('text').map((block) => block.text)).toContain('Still here.');
      await session.close();
    });
  });
}

async function startAndSay(ground: Ground, text: string) {
  const conversation = await ground.converse();
  const messageId = await conversation.say(text);
  return { session: conversation.session, seen: conversation.seen, messageId };
}
