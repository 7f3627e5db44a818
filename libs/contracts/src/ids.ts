import { z } from 'zod';
import { LIMITS } from './limits.js';

/** A person: the owner of a hub. */
export const PersonId = z.uuid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;

/** A device of a person's: a key of its own. */
export const DeviceId = z.uuid().brand<'DeviceId'>();
export type DeviceId = z.infer<typeof DeviceId>;

/** A passkey of a person's. */
export const PasskeyId = z.uuid().brand<'PasskeyId'>();
export type PasskeyId = z.infer<typeof PasskeyId>;

/** A relay: the process on one machine that runs agents. */
export const RelayId = z.uuid().brand<'RelayId'>();
export type RelayId = z.infer<typeof RelayId>;

export const ConversationId = z.uuid().brand<'ConversationId'>();
export type ConversationId = z.infer<typeof ConversationId>;

/** A tool call that waits, with one card per question in it. Given out by the hub. */
export const RequestId = z.uuid().brand<'RequestId'>();
export type RequestId = z.infer<typeof RequestId>;

export const CardId = z.uuid().brand<'CardId'>();
export type CardId = z.infer<typeof CardId>;

/** A message of a person's. Made by the device that sends it, so that a retry is the same message. */
export const MessageId = z.uuid().brand<'MessageId'>();
export type MessageId = z.infer<typeof MessageId>;

/** Given out by the relay when a turn starts. */
export const TurnId = z.uuid().brand<'TurnId'>();
export type TurnId = z.infer<typeof TurnId>;

/** The provider's own name for a tool call; the idempotency key of a request (C12). */
export const ToolCallId = z.string().min(1).max(200).brand<'ToolCallId'>();
export type ToolCallId = z.infer<typeof ToolCallId>;

/** Which provider: the name of a driver's folder, from its descriptor. */
export const ProviderId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'a provider id is lower case letters, digits and dashes')
  .brand<'ProviderId'>();
export type ProviderId = z.infer<typeof ProviderId>;

/** The last instant that there is in JavaScript. */
const END_OF_TIME = 8.64e15;

/** Milliseconds since 1970, by the database's clock. Never crosses the link between hub and relay. */
export const Instant = z.number().int().nonnegative().max(END_OF_TIME);
export type Instant = z.infer<typeof Instant>;

/** A span of time in milliseconds. */
export const Duration = z.number().int().nonnegative();
export type Duration = z.infer<typeof Duration>;

/** A running number within one conversation, or a version, from 1. */
export const Sequence = z.number().int().positive().max(LIMITS.largestNumber);
export type Sequence = z.infer<typeof Sequence>;

/** How far a running number has come; 0 before the first. */
export const Reached = z.number().int().nonnegative().max(LIMITS.largestNumber);
export type Reached = z.infer<typeof Reached>;
