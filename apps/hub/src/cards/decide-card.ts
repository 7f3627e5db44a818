import { Injectable } from '@nestjs/common';
import {
  decisionText,
  type Card,
  type CardBody,
  type CardDecided,
  type CardId,
  type Decision,
} from '#contracts';
import { ConversationWrites, decisionProblem, settledBy, type Refusal } from '#domain';
import { actorOf, demandSignature, type KnownDevice } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { CatchUp } from '../telling/catch-up.js';
import { KnownCards } from '../telling/known-cards.js';
import { Tell } from '../telling/tell.js';
import { refusalOf } from '../telling/refusal-of.js';
import type { DecideCommand } from './decide-command.js';
import { DecisionDemands } from './decision-demands.js';

/** C1, C10, C15, C16: answers or skips a card. */
@Injectable()
export class DecideCard {
  constructor(
    private readonly cards: KnownCards,
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
    private readonly catchUp: CatchUp,
    private readonly demands: DecisionDemands,
  ) {}

  async decide(command: DecideCommand): Promise<CardDecided> {
    const { cardId, version, decision, signature, by } = command;
    const shown = await this.cards.find(cardId);
    if (shown === undefined || shown.personId !== by.personId) {
      throw new HubRefusal('NOT_FOUND', 'There is no such card.');
    }
    const text = decisionText({ cardId, version, decision });
    demandSignature({ key: by.key, text, signature });
    demandFit(shown.body, decision);
    const met = await this.demands.meet(shown, command, text);
    const result = await this.writes.write({
      kind: 'settle-card',
      conversationId: shown.conversationId,
      cardId,
      version,
      decision,
      deed: { by: actorOf(by), signature, ...met },
    });
    if (!result.ok) return this.decidedBefore(result.refusal, command);
    this.tell.committed(result.committed);
    const request = result.committed.requests.find(({ id }) => id === shown.requestId);
    if (request === undefined) throw new Error('a settlement changed no request');
    return { cardId, request };
  }

  /** The same decision of the same device again is a retry, told what it was told before; else the loser is told who won. */
  private decidedBefore(refusal: Refusal, command: DecideCommand): CardDecided {
    if (refusal.code !== 'ALREADY_SETTLED' || !isRetry(refusal.card, command)) {
      throw refusalOf(refusal);
    }
    this.catchUp.repeated();
    return { cardId: command.cardId, request: refusal.request };
  }
}

/** C2, C16: what does not fit the card is refused by its field, and nothing is lost. What hangs on the mode, the write tells. */
function demandFit(body: CardBody, decision: Decision): void {
  const problem = decisionProblem(body, decision, 'ask');
  if (problem === undefined) return;
  const message = `${problem.field} ${problem.problem}.`;
  throw new HubRefusal('INVALID_ANSWER', message, { fields: [problem] });
}

function isRetry(card: Card, command: DecideCommand): boolean {
  const { settlement } = card;
  if (settlement === undefined || card.version !== command.version + 1) return false;
  const { principal } = settlement.by;
  if (principal.kind !== 'device' || principal.deviceId !== command.by.deviceId) return false;
  const { decision } = command;
  return settledBy(settlement, decision);
}
