import type { CardRequest } from '#contracts';
import { isUnconfirmed } from './delivery.js';

/** An earlier request and its questions in their one form. */
export interface EarlierRequest {
  readonly request: CardRequest;
  /** The canonical questions, or a hash of them. */
  readonly canonical: string;
}

/** A call as its agent makes it. */
export interface Call extends Pick<CardRequest, 'toolCallId' | 'turnId' | 'askedBy'> {
  readonly canonical: string;
}

/**
 * C12: the request that a call repeats. The same tool call is always the same request. Where a client gave a new id, the
 * same questions of the same agent or sub-agent are, while the first is open or its answer is on its way. One case is
 * left out: beside a call that still waits in the same turn it is a question of its own, for an agent may make two calls
 * with the same words at once, and nothing tells these from a retry.
 */
export function repeatedRequest<Earlier extends EarlierRequest>(
  call: Call,
  earlier: readonly Earlier[],
): Earlier | undefined {
  return (
    earlier.find(({ request }) => request.toolCallId === call.toolCallId) ??
    earlier.find(
      ({ request, canonical }) =>
        canonical === call.canonical &&
        request.askedBy === call.askedBy &&
        (isUnconfirmed(request) || (request.status === 'open' && !waitsBeside(request, call))),
    )
  );
}

/** Whether both calls are alive at the same time, as far as can be told. */
function waitsBeside(request: CardRequest, call: Call): boolean {
  return !request.detached && request.turnId === call.turnId;
}
