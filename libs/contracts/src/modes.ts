import { z } from 'zod';
import { Reached, Sequence } from './ids.js';

/** M1: one per conversation, owned by the hub. */
export const RelayMode = z.enum(['autopilot', 'ask', 'plan']);
export type RelayMode = z.infer<typeof RelayMode>;

/** What a conversation's mode is, and whether the relay has it yet (M6). */
export const ModeState = z.object({
  mode: RelayMode,
  /** Counts the changes, from 1. */
  version: Sequence,
  /** The last version that the relay has acknowledged; smaller than `version` while pending. */
  acknowledgedVersion: Reached,
});
export type ModeState = z.infer<typeof ModeState>;
