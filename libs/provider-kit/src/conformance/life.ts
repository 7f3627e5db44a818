import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MessageId } from '#contracts';
import { personTexts } from '#scripted-models';
import { answered } from './conversation.js';
import type { Ground } from './ground.js';

/** Interrupts, ends, deaths and resumption. */
export function describeLife(ground: Ground): void {
  describe('in life and death', () => {
    it('[C9] an interrupt withdraws the open question and ends the turn as interrupted', async () => {
      const conversation = await ground.converse();
      const { seen, session } = conversation;
      await conversation.say('ask, then stop');
      const { toolCallId } = await seen.asked('ask-stop');
      await session.interrupt();
      expect((await seen.turnEnd()).outcome).toBe('interrupted');
      expect(seen.withdrawnCalls).toEqual([toolCallId]);
      expect(await conversation.settle('ask-stop', [answered([0])])).toBe('not-waiting');
      const of = { sessionRef: session.sessionRef, folder: ground.rig().folder, toolCallId };
      expect(await ground.runtime().wasTaken(of)).toBe('no');
      await session.close();
    });

    it('[M6] after an interrupt the session takes the next message', async () => {
      const conversation = await ground.converse();
      await conversation.say('ask, then stop');
      await conversation.seen.asked('ask-stop');
      await conversation.session.interrupt();
      await conversation.seen.turnEnd();
      await conversation.say('go on after all');
      expect((await conversation.seen.turnEnd(2)).outcome).toBe('done');
      await conversation.session.close();
    });

    it('[link] closing is expected, and the session goes on where it was when resumed', async () => {
      const before = await ground.converse();
      await before.say('remember this');
      await before.seen.turnEnd();
      await before.session.close();
      expect(before.seen.ends).toEqual([{ expected: true }]);
      const after = await ground.converse(before.session.sessionRef);
      expect(after.session.sessionRef).toBe(before.session.sessionRef);
      await after.say('go on after all');
      await after.seen.turnEnd();
      const call = ground.rig().model.calls.at(-1);
      const said = call === undefined ? [] : personTexts(call);
      expect(said.some((text) => text.includes('remember this'))).toBe(true);
      await after.session.close();
    });

    it('[C9] a client that is killed while it asks withdraws nothing, and did not take an answer', async () => {
      const conversation = await ground.converse();
      const { seen, session } = conversation;
      await conversation.say('ask, then die');
      const { toolCallId } = await seen.asked('ask-die');
      await conversation.kill();
      const end = await seen.until(() => seen.ends[0]);
      expect(end.expected).toBe(false);
      expect(end.failure?.code).toBe('client-ended');
      expect(seen.withdrawnCalls).toEqual([]);
      expect(seen.of('turn-ended')).toEqual([]);
      expect(await conversation.settle('ask-die', [answered([0])])).toBe('not-waiting');
      const of = { sessionRef: session.sessionRef, folder: ground.rig().folder, toolCallId };
      expect(await ground.runtime().wasTaken(of)).toBe('no');
    });

    it('[C11] after a kill the resumed agent reads the answer as a message, and did not take it before', async () => {
      const before = await ground.converse();
      await before.say('ask, then live');
      const { toolCallId } = await before.seen.asked('ask-live');
      await before.kill();
      await before.seen.until(() => before.seen.ends[0]);
      const after = await ground.converse(before.session.sessionRef);
      const messageId = await after.say('go on after all: SQLite');
      expect((await after.seen.turnEnd()).outcome).toBe('done');
      const call = await ground
        .rig()
        .model.call((sent) => (personTexts(sent).at(-1) ?? '').includes('SQLite'));
      expect(personTexts(call).some((text) => text.includes('ask, then live'))).toBe(true);
      const of = { sessionRef: after.session.sessionRef, folder: ground.rig().folder };
      expect(await ground.runtime().wasSent({ ...of, messageId })).toBe('yes');
      expect(await ground.runtime().wasTaken({ ...of, toolCallId })).toBe('no');
      await after.session.close();
    });

    it('[C11] a client that is killed the moment it has a message has it when it is resumed', async () => {
      const before = await ground.converse();
      const had = before.seen.until(() => before.seen.pickedUpMessages[0]);
      const messageId = await before.say('ask, then live');
      await had;
      await before.kill();
      await before.seen.until(() => before.seen.ends[0]);
      const of = { sessionRef: before.session.sessionRef, folder: ground.rig().folder };
      expect(await ground.runtime().wasSent({ ...of, messageId })).toBe('yes');
    });

    it('[C9] an interrupt stops a message too that the client has not begun to work on', async () => {
      const { seen, session } = await ground.converse();
      const messageId = MessageId.parse(randomUUID());
      const sent = session.send({ messageId, text: 'ask, then stop' });
      await session.interrupt();
      await sent;
      expect((await seen.turnEnd()).outcome).toBe('interrupted');
      await session.close();
    });

    it('[M7] a mode that is not enforced starts no agent, with the reason', async () => {
      const refused = Object.entries(ground.subject.driver.descriptor.capabilities.modes).filter(
        ([, real]) => real !== true,
      );
      for (const [mode] of refused) {
        const start = ground.runtime().start({
          folder: ground.rig().folder,
          mode: mode as 'ask' | 'plan',
          gate: () => ({ rule: 'ask' }),
          proposedRef: '0b5b29d8-8d3c-4ad5-9a1a-0c2f4f8a6f10',
          pending: [],
          sink: (await ground.converse()).seen,
        });
        await expect(start).rejects.toMatchObject({ failure: { code: 'mode-unavailable' } });
      }
    });
  });
}
