import { z } from 'zod';
import { ConversationId, DeviceId, PersonId, RelayId } from './ids.js';
import { LIMITS } from './limits.js';
import { storableText } from './text.js';

/** Who acts (S2). A chat identity joins with the channels. */
export const Principal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('device'), deviceId: DeviceId, personId: PersonId }),
  z.object({ kind: z.literal('agent'), conversationId: ConversationId }),
  z.object({ kind: z.literal('relay'), relayId: RelayId }),
  z.object({ kind: z.literal('hub') }),
]);
export type Principal = z.infer<typeof Principal>;

/** A principal as shown to people: with the name it had when it acted. */
export const Actor = z.object({
  principal: Principal,
  /** A device's name, a conversation's title, a relay's name, or `hub`. */
  name: storableText(LIMITS.title),
});
export type Actor = z.infer<typeof Actor>;
