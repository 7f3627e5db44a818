import type { Relay } from '#contracts';
import type { DeviceClient } from '../../support/device-client.js';
import type { Dice } from '../plan/dice.js';
import type { LifePlan } from '../plan/life-plan.js';
import type { ClientEntry } from '../records/records.js';

/** Whose agents a run is about: how they are brought in, what they can be asked to do, and what they keep of it. */
export interface Agents {
  /** A piece of the command line of their client's processes. */
  readonly client: string;
  /** Makes the relay ready for them. */
  prepare(device: DeviceClient, relay: Relay): Promise<void>;
  /** Whether a relay has what they need. */
  areReady(relay: Relay): boolean;
  /** The provider and the name of the folder of one conversation. */
  place(dice: Dice, name: string): { readonly provider: string; readonly folder: string };
  /** What of a planned life they can live. */
  able(life: LifePlan): LifePlan;
  /** What their client itself has kept of the conversation in a folder; `home` is the home folder of whoever runs the product. */
  records(of: { readonly folder: string; readonly home: string }): Promise<ClientEntry[]>;
  close(): Promise<void>;
}
