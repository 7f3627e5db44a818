import { Body, Controller, Param } from '@nestjs/common';
import {
  AnswerCard,
  CardId,
  ExtendDeadline as ExtendBody,
  RequestId,
  ROUTES,
  SkipCard,
  type CardDecided,
  type CardRequest,
} from '#contracts';
import { Caller } from '../identity/caller.js';
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
    @Body({ schema: AnswerCard }) { version, answer, signature }: AnswerCard,
    @Caller() by: KnownDevice,
  ): Promise<CardDecided> {
    const decision = { kind: 'answer', answer } as const;
    return this.deciding.decide({ cardId, version, decision, signature, by });
  }

  @Serves(ROUTES.skipCard)
  skip(
    @Param('id', { schema: CardId }) cardId: CardId,
    @Body({ schema: SkipCard }) { version, signature }: SkipCard,
    @Caller() by: KnownDevice,
  ): Promise<CardDecided> {
    const decision = { kind: 'skip' } as const;
    return this.deciding.decide({ cardId, version, decision, signature, by });
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
