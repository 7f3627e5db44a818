import { z } from 'zod';
import { Acknowledgement, HubEnvelope, HubMessage, Refused, RequestId } from '#contracts';
import type { Arrived } from '../conversations/conversations.js';
import type { UnreadableMessage } from '../journal/journal-shapes.js';

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
    const { message: raw } = envelope as { message?: unknown };
    const body = HubMessage.safeParse(raw);
    return [{ ...place.data, message: body.success ? body.data : unreadable(raw, body.error) }];
  });
}

const Kind = z.object({ kind: z.string().max(40) });
const About = z.object({ requestId: RequestId });

function unreadable(raw: unknown, error: z.ZodError): UnreadableMessage {
  const of = Kind.safeParse(raw).data?.kind;
  const requestId = About.safeParse(raw).data?.requestId;
  return {
    kind: 'unreadable',
    problem: z.prettifyError(error).slice(0, 1_000),
    ...(of !== undefined && { of }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** What the hub took and what it refused; undefined where the frame is none. */
export function readReceipt(frame: unknown): z.infer<typeof Receipt> | undefined {
  return Receipt.safeParse(frame).data;
}
