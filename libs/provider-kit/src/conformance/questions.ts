import { describe, expect, it } from '@jest/globals';
import { AskRequest } from '#contracts';
import { toolResult } from '#scripted-models';
import { answered, expired, skipped, type Conversation, type Outcome } from './conversation.js';
import type { Ground } from './ground.js';
import type { ToldToModel } from './subject.js';

interface Row {
  title: string;
  say: string;
  call: string;
  outcomes: Outcome[];
  told: keyof ToldToModel;
}

/** What the agent is told, outcome by outcome; each read from what the model was really sent. */
const ROWS: Row[] = [
  {
    title: '[C1] one label',
    say: 'ask one',
    call: 'ask-one',
    outcomes: [answered([0])],
    told: 'oneLabel',
  },
  {
    title: '[C2] several labels, in the order shown',
    say: 'ask several',
    call: 'ask-several',
    outcomes: [answered([2, 0])],
    told: 'severalLabels',
  },
  {
    title: '[C6] several questions, each with its answer',
    say: 'ask many',
    call: 'ask-many',
    outcomes: [answered([1]), answered([0, 1]), answered([1])],
    told: 'severalQuestions',
  },
  {
    title: '[C4] words of the person’s own',
    say: 'ask freely',
    call: 'ask-freely',
    outcomes: [answered([], 'Use what we have')],
    told: 'freeText',
  },
  {
    title: '[C2] ticks and typed text together',
    say: 'ask and type',
    call: 'ask-type',
    outcomes: [answered([0, 1], 'but not on Fridays')],
    told: 'ticksAndText',
  },
  {
    title: '[C16] skipped',
    say: 'ask and skip',
    call: 'ask-skip',
    outcomes: [skipped],
    told: 'skipped',
  },
  {
    title: '[C8] nobody answered',
    say: 'ask nobody',
    call: 'ask-nobody',
    outcomes: [expired],
    told: 'expired',
  },
  {
    title: '[C8] answered in part: what was answered and what is open',
    say: 'ask in part',
    call: 'ask-part',
    outcomes: [answered([1]), expired],
    told: 'partly',
  },
];

/** Questions and what becomes of them. */
export function describeQuestions(ground: Ground): void {
  const { subject } = ground;

  describe('asking', () => {
    it.each(ROWS)('$title: the model reads exactly what is so', async (row) => {
      const { seen, session, ...conversation } = await asking(ground, row.say);
      expect(await conversation.settle(row.call, row.outcomes)).toBe('handed');
      const call = await ground
        .rig()
        .model.call((sent) => toolResult(sent, row.call) !== undefined);
      expect(toolResult(call, row.call)).toBe(subject.told[row.told]);
      expect((await seen.turnEnd()).outcome).toBe('done');
      await session.close();
    });

    it('[P1] a question comes with header, choices, descriptions, previews and the recommended one', async () => {
      const { seen, session } = await asking(ground, 'ask one');
      const ask = await seen.asked('ask-one');
      expect(AskRequest.parse({ kind: 'ask', ...ask })).toMatchObject(ask);
      expect(ask.questions).toEqual([
        {
          kind: 'question',
          header: 'Database',
          question: 'Which database should the service use?',
          options: [
            {
              label: 'PostgreSQL (Recommended)',
              description: 'About PostgreSQL (Recommended)',
              preview: '```sql\nselect 1;\n```',
            },
            { label: 'SQLite', description: 'About SQLite' },
          ],
          allowsSeveral: false,
          offersSelectSeveral: false,
          recommended: 0,
          notes: [],
        },
      ]);
      await session.close();
    });

    it('[C11] an answer is called taken once the client has it', async () => {
      const { seen, session, ...conversation } = await asking(ground, 'ask one');
      await conversation.settle('ask-one', [answered([0])]);
      expect(await seen.taking('ask-one')).toBe('ask-one');
      const of = { sessionRef: session.sessionRef, folder: ground.rig().folder };
      const taken = { ...of, toolCallId: (await seen.asked('ask-one')).toolCallId };
      expect(await ground.runtime().wasTaken(taken)).toBe('yes');
      await session.close();
    });

    it('[C10] a second answer to the same call finds nobody waiting', async () => {
      const { seen, session, ...conversation } = await asking(ground, 'ask one');
      await conversation.settle('ask-one', [answered([0])]);
      expect(await conversation.settle('ask-one', [answered([1])])).toBe('not-waiting');
      await seen.turnEnd();
      await session.close();
    });

    it('[P1] two calls in one message are two requests, each with its own answer', async () => {
      const { seen, session, ...conversation } = await asking(ground, 'ask twice');
      await seen.asked('ask-left');
      await conversation.settle('ask-right', [answered([1])]);
      await conversation.settle('ask-left', [answered([0])]);
      const calls = ['ask-left', 'ask-right'];
      const call = await ground
        .rig()
        .model.call((sent) => calls.every((id) => toolResult(sent, id) !== undefined));
      expect(toolResult(call, 'ask-right')).toContain('There');
      expect(toolResult(call, 'ask-left')).toContain('PostgreSQL');
      await seen.turnEnd();
      await session.close();
    });

    it('[P] a call of the question tool that makes no sense is told to the model, and the turn goes on', async () => {
      const { seen, session } = await asking(ground, 'ask nonsense');
      const call = await ground
        .rig()
        .model.call((sent) => toolResult(sent, 'ask-nonsense') !== undefined);
      expect(toolResult(call, 'ask-nonsense')).not.toBe('');
      expect((await seen.turnEnd()).outcome).toBe('done');
      await session.close();
    });
  });
}

async function asking(ground: Ground, say: string) {
  const conversation: Conversation = await ground.converse();
  await conversation.say(say);
  return {
    seen: conversation.seen,
    session: conversation.session,
    settle: conversation.settle.bind(conversation),
  };
}
