import { Injectable } from '@nestjs/common';
import type { EventBody, HubEnvelope } from '#contracts';
import type { Committed } from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from '../platform/hub-log.js';

/**
 * What an operator can look up: figures, and the life of each request in the log, a line a step, all with `request`, the
 * one id that page, hub and relay have in common, so that a tap can be followed to the agent. What was asked and answered
 * is never among it.
 */
@Injectable()
export class Chronicle {
  constructor(
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  committed(committed: Committed): void {
    this.metrics.committed(committed);
    for (const { body } of committed.events) {
      const step = stepOf(body);
      if (step === undefined) continue;
      const [line, fields] = step;
      this.log.log(line, { ...fields, conversation: committed.conversation.id });
    }
    this.handedOut(committed.outbox);
  }

  private handedOut(outbox: readonly HubEnvelope[]): void {
    for (const { n, message } of outbox) {
      if (message.kind !== 'give-answer') continue;
      this.log.log('answer for the relay', { request: message.requestId, n });
    }
  }
}

function stepOf(body: EventBody): [line: string, fields: object] | undefined {
  if (body.kind === 'request-opened') {
    return ['question opened', { request: body.request.id, toolCall: body.request.toolCallId }];
  }
  if (body.kind === 'card-settled') {
    const { id: card, requestId: request, status, settlement } = body.card;
    return ['card settled', { request, card, status, by: settlement?.by.principal }];
  }
  if (body.kind === 'request-closed') {
    return ['question closed', { request: body.requestId, outcome: body.outcome }];
  }
  if (body.kind === 'delivery-changed') {
    const { requestId: request, delivery, possibleRepeat } = body;
    return ['answer on its way', { request, delivery, possibleRepeat }];
  }
  return undefined;
}
