import { Body, Controller, Param } from '@nestjs/common';
import {
  AnswerCard,
  CardId,
  DecideCard as VerdictBody,
  ExtendDeadline as ExtendBody,
  RequestId,
  ROUTES,
  SkipCard,
  type CardDecided,
  type CardRequest,
} from '#contracts';
import { Caller, CallerAtPage, type DeviceAtPage } from '../identity/caller.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { Serves } from '../platform/serves.js';
import { DecideCard } from './decide-card.js';
import { ExtendDeadline } from './extend-deadline.js';

@Controller()
export class CardsController {
  constructor(
    private readonly deciding: DecideCard,
    private readonly extending: ExtendDeadline,
  ) {}

  @Serves(ROUTES.answerCard)
  answer(
    @Param('id', { schema: CardId }) cardId: CardId,
    @Body({ schema: AnswerCard }) { version, answer, signature, passkey }: AnswerCard,
    @CallerAtPage() { by, origin }: DeviceAtPage,
  ): Promise<CardDecided> {
    const decision = { kind: 'answer', answer } as const;
    const proof = { passkey, origin };
    return this.deciding.decide({ cardId, version, decision, signature, by, proof });
  }

  @Serves(ROUTES.decideCard)
  decide(
    @Param('id', { schema: CardId }) cardId: CardId,
    @Body({ schema: VerdictBody }) { version, verdict, signature, passkey }: VerdictBody,
    @CallerAtPage() { by, origin }: DeviceAtPage,
  ): Promise<CardDecided> {
    const decision = { kind: 'verdict', verdict } as const;
    const proof = { passkey, origin };
    return this.deciding.decide({ cardId, version, decision, signature, by, proof });
  }

  @Serves(ROUTES.skipCard)
  skip(
    @Param('id', { schema: CardId }) cardId: CardId,
    @Body({ schema: SkipCard }) { version, signature, passkey }: SkipCard,
    @CallerAtPage() { by, origin }: DeviceAtPage,
  ): Promise<CardDecided> {
    const decision = { kind: 'skip' } as const;
    const proof = { passkey, origin };
    return this.deciding.decide({ cardId, version, decision, signature, by, proof });
  }

  @Serves(ROUTES.extendDeadline)
  extend(
    @Param('id', { schema: RequestId }) requestId: RequestId,
    @Body({ schema: ExtendBody }) body: ExtendBody,
    @Caller() by: KnownDevice,
  ): Promise<CardRequest> {
    return this.extending.extend({ requestId, byMs: body.by, by });
  }
}
