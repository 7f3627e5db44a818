import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { CardRequest, Decision } from '#contracts';
import { settle, type WriteResult } from '#domain';
import { aQuestion } from '../support/card-builders.js';
import { aDeed, cardAt, startConversation } from '../support/conversation-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(120_000);

/** One decision: on which card, made on a version so far from the one that is stored, of what. */
interface Step {
  readonly position: number;
  readonly versionOff: number;
  readonly decision: Decision;
}

const steps = fc.array(
  fc.record<Step>({
    position: fc.nat(2),
    versionOff: fc.constantFrom(0, 0, 0, 0, -1, 1),
    decision: fc.oneof(
      fc.constant<Decision>({ kind: 'skip' }),
      fc.nat(1).map<Decision>((choice) => ({ kind: 'answer', answer: { choices: [choice] } })),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

/** What matters of an outcome: the code of a refusal, or the request as it stands. */
function essence(
  result: { ok: true; request: CardRequest } | { ok: false; code: string },
): unknown {
  if (!result.ok) return result.code;
  const { status, outcome, delivery, version, cards } = result.request;
  const settled = cards.map((card) => [card.status, card.version, card.settlement?.answer]);
  return { status, outcome, delivery, version, settled };
}

function stored(result: WriteResult): unknown {
  if (!result.ok) return essence({ ok: false, code: result.refusal.code });
  const [request] = result.committed.requests;
  if (request === undefined) throw new Error('a settlement changed no request');
  return essence({ ok: true, request });
}

describe('the statement that settles', () => {
  it.each([
    ['one after the other', false],
    ['all in one flush', true],
  ])('[C10] decides as the domain does, for any row of decisions, %s', async (_, together) => {
    const conversation = await startConversation(database.store);
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (decisions) => {
        asked += 1;
        const body = aQuestion({ question: `Question ${together} ${asked}?` });
        let expected = await conversation.ask({ questions: 3, body });
        const outcomes: Promise<WriteResult>[] = [];
        const predicted: unknown[] = [];
        for (const { position, versionOff, decision } of decisions) {
          const card = cardAt(expected, position);
          const version = Math.max(1, card.version + versionOff);
          const deed = aDeed();
          const predictedResult = settle(
            expected,
            { cardId: card.id, version, decision, by: deed.by },
            { now: expected.openedAt, seenAt: expected.openedAt },
          );
          if (predictedResult.ok) expected = predictedResult.request;
          predicted.push(essence(predictedResult));
          const write = database.store.writes.write({
            kind: 'settle-card',
            conversationId: conversation.id,
            cardId: card.id,
            version,
            decision,
            deed,
          });
          outcomes.push(write);
          if (!together) await write;
        }
        expect((await Promise.all(outcomes)).map(stored)).toEqual(predicted);
        const after = await database.store.reads.request(expected.id);
        expect(after && essence({ ok: true, request: after.request })).toEqual(
          essence({ ok: true, request: expected }),
        );
      }),
      { numRuns: 100 },
    );
  });
});
