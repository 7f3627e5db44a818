import type { CardRequest, ToolCallId } from '#contracts';
import { isUnconfirmed } from './delivery.js';

/** An earlier request and its questions in their one form. */
export interface EarlierRequest {
  readonly request: CardRequest;
  /** The canonical questions, or a hash of them. */
  readonly canonical: string;
}

/**
 * C12: the request that a call repeats. The same tool call is always the same request. Where a client gave a new id, the
 * same questions are while the first call is gone (its request waits detached) or its answer is on its way; a
 * second call beside one that still waits is a question of its own, as two sub-agents may ask the same.
 */
export function repeatedRequest<Earlier extends EarlierRequest>(
  call: { readonly toolCallId: ToolCallId; readonly canonical: string },
  earlier: readonly Earlier[],
): Earlier | undefined {
  return (
    earlier.find(({ request }) => request.toolCallId === call.toolCallId) ??
    earlier.find(
      ({ request, canonical }) =>
        canonical === call.canonical &&
        (isUnconfirmed(request) || (request.status === 'open' && request.detached)),
    )
  );
}
