import { z } from 'zod';
import { HubEnvelope, HubMessage, Acknowledgement, Refused } from '#contracts';
import type { Arrived } from '../conversations/conversations.js';

const Place = HubEnvelope.pick({ conversationId: true, epoch: true, n: true });
const Frame = z.object({ messages: z.array(z.unknown()) });
const Receipt = z.object({ upTo: z.array(Acknowledgement), refused: z.array(Refused) });

/**
 * A frame of the hub's messages. One whose body can't be read keeps its place, so that those behind it go on;
 * one without a place is left out.
 */
export function readMessages(frame: unknown): Arrived[] {
  const { messages } = Frame.safeParse(frame).data ?? { messages: [] };
  return messages.flatMap((envelope) => {
    const place = Place.safeParse(envelope);
    if (!place.success) return [];
    const body = HubMessage.safeParse((envelope as { message?: unknown }).message);
    const message = body.success
      ? body.data
      : { kind: 'unreadable' as const, problem: z.prettifyError(body.error).slice(0, 1_000) };
    return [{ ...place.data, message }];
  });
}

/** What the hub took and what it refused; undefined where the frame is none. */
export function readReceipt(frame: unknown): z.infer<typeof Receipt> | undefined {
  return Receipt.safeParse(frame).data;
}
