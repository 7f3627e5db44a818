import { CardRequest } from './cards.js';
import * as http from './http.js';
import { CardId, RequestId } from './ids.js';
import type { Route } from './route.js';

/** Routes by which a person decides. */
export const CARD_ROUTES = {
  answerCard: {
    method: 'POST',
    path: '/api/cards/:id/answer',
    for: 'device',
    summary: 'Answers a card; the first one wins, and the others are told who it was.',
    params: { id: CardId },
    body: http.AnswerCard,
    answer: http.CardDecided,
  },
  decideCard: {
    method: 'POST',
    path: '/api/cards/:id/verdict',
    for: 'device',
    summary: 'Allows or denies an action, approves a plan or sends it back.',
    params: { id: CardId },
    body: http.DecideCard,
    answer: http.CardDecided,
  },
  skipCard: {
    method: 'POST',
    path: '/api/cards/:id/skip',
    for: 'device',
    summary: 'Skips a card.',
    params: { id: CardId },
    body: http.SkipCard,
    answer: http.CardDecided,
  },
  extendDeadline: {
    method: 'POST',
    path: '/api/requests/:id/extend',
    for: 'device',
    summary: 'Lets a request wait longer.',
    params: { id: RequestId },
    body: http.ExtendDeadline,
    answer: CardRequest,
  },
} as const satisfies Record<string, Route>;
