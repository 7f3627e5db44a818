import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Card, CardRequest, Decision, ErrorBody } from '#contracts';
import { questionOf } from '../../support/card-builders.js';
import type { HttpAnswer } from '../../support/device-client.js';
import type { Dice } from '../plan/dice.js';
import type { CallPlan } from '../plan/life-plan.js';
import type { Attempt } from '../records/records.js';
import type { ConversationView } from './conversation-view.js';
import type { StubbornDevice } from './stubborn-device.js';

/** How long people wait before they look again at a card that is still open. */
const LOOK_AGAIN_MS = 2_500;
const EXTENDED_BY_MS = 60_000;

/** The people with their devices: they settle cards as the plan says, and write down what they sent and were told. */
export class People {
  readonly attempts: Attempt[] = [];

  constructor(
    readonly devices: readonly StubbornDevice[],
    private readonly isOver: () => boolean,
  ) {}

  /** Sees to a request until it is closed, by whomever. */
  async attend(of: {
    view: ConversationView;
    request: CardRequest;
    plan: CallPlan;
    dice: Dice;
  }): Promise<void> {
    const { view, request, plan, dice } = of;
    await pause(plan.thinkMs);
    if (plan.ending === 'nobody') return;
    if (plan.ending === 'extend') await this.#extend(dice.pick(this.devices), request);
    for (let round = 0; !this.isOver(); round += 1) {
      const now = view.requests.get(request.id);
      if (now === undefined || now.status === 'closed') return;
      await this.#settleAll({ ...of, request: now, dice: dice.of(`round ${round}`) });
      const closed = (): boolean => view.requests.get(request.id)?.status === 'closed';
      const [first] = this.devices;
      if (await first?.until(closed, LOOK_AGAIN_MS)) return;
    }
  }

  async #settleAll(of: {
    view: ConversationView;
    request: CardRequest;
    plan: CallPlan;
    dice: Dice;
  }): Promise<void> {
    const { view, request, plan, dice } = of;
    const open = request.cards.filter(({ status }) => status === 'open');
    const [last] = open.slice(-1);
    for (const card of open) {
      await this.#settle(card, plan, dice);
      if (card === last) continue;
      for (let change = 0; change < plan.changes; change += 1) {
        const now = view.requests.get(request.id)?.cards.find(({ id }) => id === card.id);
        if (now !== undefined) await this.#settle(now, plan, dice.of(`change ${change}`));
      }
    }
  }

  async #settle(card: Card, plan: CallPlan, dice: Dice): Promise<void> {
    if (plan.ending === 'skip') {
      await this.#decide(dice.pick(this.devices), card, { kind: 'skip' });
      return;
    }
    const deciding = plan.ending === 'race' ? this.devices : [dice.pick(this.devices)];
    await Promise.all(
      deciding.map((device) =>
        this.#decide(device, card, { kind: 'answer', answer: anAnswer(card, device, dice) }),
      ),
    );
  }

  async #extend(device: StubbornDevice, { id }: CardRequest): Promise<void> {
    await device.askOnce('POST', `/api/requests/${id}/extend`, { by: EXTENDED_BY_MS });
  }

  /** Sends a decision until the hub says what became of it. */
  async #decide(device: StubbornDevice, card: Card, decision: Decision): Promise<void> {
    const { client } = device;
    const { id: cardId, version } = card;
    const at = this.attempts.length;
    const attempt = { deviceId: client.deviceId, cardId, version, decision };
    this.attempts.push({ ...attempt, result: { kind: 'unknown' } });
    const signature = client.signDecision({ id: cardId, version }, decision);
    const path = `/api/cards/${cardId}/${decision.kind}`;
    const body =
      decision.kind === 'answer'
        ? { version, answer: decision.answer, signature }
        : { version, signature };
    const answer = await device.ask('POST', path, body);
    if (answer.status !== 0) this.attempts[at] = { ...attempt, result: resultOf(answer, cardId) };
  }
}

/** A choice where there is one, and a text that tells this answer from every other one. */
function anAnswer(card: Card, device: StubbornDevice, dice: Dice): Answer {
  const { options } = questionOf(card.body);
  const choices = options.length === 0 ? [] : [dice.between(0, options.length - 1)];
  const mark = `${dice.name} by ${device.name} at ${card.position}v${card.version}`;
  return { choices, text: `<${mark}>` };
}

function resultOf(answer: HttpAnswer, cardId: string): Attempt['result'] {
  if (answer.status === 200) return { kind: 'accepted' };
  const { code, details } = answer.body as ErrorBody & { details?: { card?: Card } };
  const told = details?.card?.id === cardId ? details.card.settlement : undefined;
  return { kind: 'refused', code, told };
}
