import { describe, expect, it } from '@jest/globals';
import { closeOpenCards, requestOutcome, settle } from '../index.js';
import { anActor, aRequest, answering } from '../../../../test/support/card-builders.js';

const NOW = { now: 1_000, seenAt: 1_000 };

describe('settling a card', () => {
  it('[C10] the first answer wins, and its who, when and what stand on the card', () => {
    const request = aRequest({ questions: 1 });
    const decided = settle(request, answering(request, 0, { choices: [1] }), NOW);
    expect(decided).toMatchObject({
      ok: true,
      closes: true,
      card: {
        status: 'answered',
        version: 2,
        settlement: { answer: { choices: [1] }, at: NOW.now, by: anActor() },
      },
      request: { status: 'closed', outcome: 'answered', delivery: 'pending' },
    });
  });

  it('[C10] a second answer to a closed request is refused', () => {
    const request = aRequest({ questions: 1 });
    const first = settle(request, answering(request, 0, { choices: [1] }), NOW);
    if (!first.ok) throw new Error('the first answer must win');
    expect(settle(first.request, answering(request, 0, { choices: [0] }), NOW)).toEqual({
      ok: false,
      code: 'ALREADY_SETTLED',
    });
  });

  it('[C6] a request of three closes with its last card', () => {
    let request = aRequest({ questions: 3 });
    const closes: boolean[] = [];
    for (const position of [2, 0, 1]) {
      const decided = settle(request, answering(request, position, { choices: [0] }), NOW);
      if (!decided.ok) throw new Error(decided.code);
      closes.push(decided.closes);
      request = decided.request;
    }
    expect(closes).toEqual([false, false, true]);
  });

  it('[C6] while the request is open an answer can be changed by who holds its version', () => {
    const request = aRequest({ questions: 2 });
    const first = settle(request, answering(request, 0, { choices: [0] }), NOW);
    if (!first.ok) throw new Error(first.code);
    const changed = settle(first.request, answering(first.request, 0, { choices: [1] }), NOW);
    expect(changed).toMatchObject({
      ok: true,
      closes: false,
      card: { version: 3, settlement: { answer: { choices: [1] } } },
    });
  });

  it('[C15] an answer with an older version is refused', () => {
    const request = aRequest({ questions: 2 });
    const first = settle(request, answering(request, 0, { choices: [0] }), NOW);
    if (!first.ok) throw new Error(first.code);
    expect(settle(first.request, answering(request, 0, { choices: [1] }), NOW)).toEqual({
      ok: false,
      code: 'ALREADY_SETTLED',
    });
  });

  it('[C7] an answer at the deadline is late', () => {
    const request = aRequest({ questions: 1, deadlineAt: NOW.now });
    expect(settle(request, answering(request, 0, { choices: [0] }), NOW)).toEqual({
      ok: false,
      code: 'DEADLINE_PASSED',
    });
  });

  it('[C16] a skipped card of two leaves the other one open', () => {
    const request = aRequest({ questions: 2 });
    const decided = settle(
      request,
      { ...answering(request, 0, { choices: [0] }), decision: { kind: 'skip' } },
      NOW,
    );
    expect(decided).toMatchObject({ ok: true, closes: false, card: { status: 'skipped' } });
  });
});

describe('closing what nobody answered', () => {
  it('[C8] given answers stay when the rest expires', () => {
    const request = aRequest({ questions: 2 });
    const first = settle(request, answering(request, 0, { choices: [0] }), NOW);
    if (!first.ok) throw new Error(first.code);
    const closed = closeOpenCards(first.request, {
      outcome: 'expired',
      by: anActor(),
      now: NOW.now,
    });
    expect(closed.cards.map((card) => card.status)).toEqual(['answered', 'expired']);
  });

  it('[C8] the agent is told of an expiry', () => {
    expect(
      closeOpenCards(aRequest({ questions: 1 }), {
        outcome: 'expired',
        by: anActor(),
        now: NOW.now,
      }),
    ).toMatchObject({
      outcome: 'expired',
      delivery: 'pending',
    });
  });

  it('[C9] a cancelled call has nobody to tell', () => {
    expect(
      closeOpenCards(aRequest({ questions: 1 }), {
        outcome: 'cancelled',
        by: anActor(),
        now: NOW.now,
      }),
    ).toMatchObject({
      outcome: 'cancelled',
      delivery: 'none',
    });
  });

  it('[C9] answered and skipped together count as answered, skipped alone as skipped', () => {
    expect([
      requestOutcome([{ status: 'skipped' }, { status: 'answered' }]),
      requestOutcome([{ status: 'skipped' }, { status: 'skipped' }]),
      requestOutcome([{ status: 'answered' }, { status: 'expired' }]),
    ]).toEqual(['answered', 'skipped', 'expired']);
  });
});
