import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Conversation, RelayId } from '#contracts';
import type { Dice } from '../plan/dice.js';
import { lifeScript, planLife, type CallPlan, type LifePlan } from '../plan/life-plan.js';
import type { ConversationView } from './conversation-view.js';
import type { People } from './people.js';
import type { StubbornDevice } from './stubborn-device.js';

/** Where a conversation's agent runs. */
export interface Place {
  readonly relayId: RelayId;
  readonly provider: string;
  readonly folder: string;
}

export interface LifeRunnerParts {
  readonly name: string;
  readonly place: Place;
  readonly people: People;
  readonly dice: Dice;
  /** What of a planned life its agent can live. */
  readonly able: (life: LifePlan) => LifePlan;
  /** How long nothing may happen in a conversation in which something is to happen, in milliseconds. */
  readonly patienceMs: number;
}

/** One conversation of a run: one life of a card after the other. */
export class LifeRunner {
  readonly stuck: string[] = [];
  view: ConversationView | undefined;
  #lives = 0;
  readonly #plans = new Map<string, { plan: CallPlan; dice: Dice }>();
  readonly #attended = new Set<string>();
  /** Everything that people still do in it. */
  readonly #doing = new Set<Promise<void>>();

  get place(): Place {
    return this.parts.place;
  }

  constructor(private readonly parts: LifeRunnerParts) {}

  /** Lives until `more` says that it is enough. */
  async run(more: () => boolean): Promise<void> {
    while (more()) {
      const name = `${this.parts.name}-${this.#lives}`;
      this.#lives += 1;
      const dice = this.parts.dice.of(name);
      await this.#live(this.parts.able(planLife(dice, name)), dice);
    }
    await Promise.all(this.#doing);
  }

  /** Waits until nothing happens any more; a queue that a failed turn holds up is set going as a person would. */
  async comeToRest(): Promise<void> {
    const { view } = this;
    if (view === undefined) return;
    while ((view.row?.queued ?? 0) > 0 && view.row?.turn === 'failed') {
      const { id } = view;
      const sent = await this.#first.ask('POST', `/api/conversations/${id}/messages`, {
        ...{ messageId: randomUUID(), text: 'Go on.' },
      });
      await this.#quiet(view, (sent.body as Conversation).lastEventN);
      if (this.stuck.length > 0) return;
    }
    await this.#quiet(view, 0);
  }

  get #first(): StubbornDevice {
    const [first] = this.parts.people.devices;
    if (first === undefined) throw new Error('a run needs a device');
    return first;
  }

  async #live(life: LifePlan, dice: Dice): Promise<void> {
    for (const plan of life.calls) this.#plans.set(plan.call, { plan, dice: dice.of(plan.call) });
    const row = await this.#begin(lifeScript(life), dice.pick(this.parts.people.devices));
    if (row === undefined) return;
    for (const device of this.parts.people.devices) device.follow(row);
    const view = this.#first.follow(row);
    this.view = view;
    if (life.stop !== undefined) this.#do(this.#stop(view, life, row.lastEventN));
    if (life.queued > 0) this.#do(this.#queue(view, life, row.lastEventN));
    await this.#quiet(view, row.lastEventN);
  }

  #do(work: Promise<void>): void {
    const doing = work.finally(() => this.#doing.delete(doing));
    this.#doing.add(doing);
  }

  /** Sends the message of a life; the first one makes the conversation. */
  async #begin(text: string, device: StubbornDevice): Promise<Conversation | undefined> {
    const firstMessage = { messageId: randomUUID(), text };
    const { place } = this.parts;
    const answer =
      this.view === undefined
        ? await device.ask('POST', '/api/conversations', {
            ...{ ...place, mode: 'autopilot', firstMessage },
          })
        : await device.ask('POST', `/api/conversations/${this.view.id}/messages`, firstMessage);
    if (answer.status === 200) return answer.body as Conversation;
    this.stuck.push(`${text.slice(0, 30)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return undefined;
  }

  /** Waits until the conversation is quiet, and sees that somebody looks after every card that opens meanwhile. */
  async #quiet(view: ConversationView, from: number): Promise<void> {
    for (;;) {
      const before = view.lastN;
      const moved = (): boolean => {
        this.#attendNew(view);
        return view.isQuiet(from) || view.lastN > before;
      };
      const happened = await this.#first.until(moved, this.parts.patienceMs);
      if (view.isQuiet(from)) return;
      if (happened) continue;
      this.stuck.push(`${this.parts.name} (${view.id}): ${view.unrest.join('; ')}`);
      return;
    }
  }

  #attendNew(view: ConversationView): void {
    for (const request of view.open) {
      const planned = this.#plans.get(request.toolCallId);
      if (this.#attended.has(request.id) || planned === undefined) continue;
      this.#attended.add(request.id);
      this.#do(this.parts.people.attend({ view, request, ...planned }));
    }
  }

  async #stop(view: ConversationView, life: LifePlan, from: number): Promise<void> {
    const { stop } = life;
    if (stop === undefined) return;
    const requests = () => life.calls.flatMap(({ call }) => view.requestOf(call) ?? []);
    const moments = {
      'any-time': () => true,
      'while-open': () => requests().length > 0,
      'once-answered': () => requests().some(({ status }) => status === 'closed'),
    };
    const isTime = moments[stop.when];
    const { patienceMs } = this.parts;
    await this.#first.until(() => isTime() || view.isQuiet(from), patienceMs);
    await pause(stop.afterMs);
    if (isTime()) await this.#first.ask('POST', `/api/conversations/${view.id}/stop`);
  }

  async #queue(view: ConversationView, life: LifePlan, from: number): Promise<void> {
    const isOpen = (): boolean => life.calls.some(({ call }) => view.requestOf(call) !== undefined);
    await this.#first.until(() => isOpen() || view.isQuiet(from), this.parts.patienceMs);
    const path = `/api/conversations/${view.id}/messages`;
    for (let n = 1; n <= life.queued; n += 1) {
      const messageId = randomUUID();
      await this.#first.ask('POST', path, { messageId, text: `A note ${n} beside ${life.id}.` });
      if (n < life.queued || !life.cancelsQueued) continue;
      await this.#first.askOnce('DELETE', `${path}/${messageId}`);
    }
  }
}
