import { CARD_WAITS_MS } from '#contracts';

/** A scripted provider: its id, and how long its cards wait where the call says nothing. */
export interface ScriptedProviderName {
  readonly id: string;
  readonly cardWaits: number;
}

export const PATIENT: ScriptedProviderName = { id: 'patient', cardWaits: CARD_WAITS_MS };
/** Its cards really expire within a run, by a deadline of the hub's own, which a person can extend. */
export const HASTY: ScriptedProviderName = { id: 'hasty', cardWaits: 15_000 };

/** A conversation in a folder of such a name has a client of whose record nothing is told: `unknown` (link rule 4). */
export const FORGETFUL = 'forgetful';

/** The record of one session is in the conversation's own folder, where the harness finds it whatever the product knows. */
export const recordName = (sessionRef: string): string => `record-${sessionRef}.jsonl`;
