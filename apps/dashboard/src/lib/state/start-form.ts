import { RelayMode, type ProviderOnRelay, type Relay } from '#contracts';

/** What was chosen last time, to begin with the same. */
export interface LastStart {
  readonly relayId?: string;
  readonly provider?: string;
  readonly model?: string;
}

const KEPT = 'coxswain.last-start';

export function lastStart(): LastStart {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as LastStart) : {};
  } catch {
    return {};
  }
}

export function rememberStart(start: LastStart): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(start));
  } catch {
    // It is only a convenience.
  }
}

const KEPT_MODES = 'coxswain.last-modes';
/** How many pairs of provider and folder a mode is remembered for. */
const MODES_KEPT = 100;

/** Where a mode was chosen last (M7). */
interface StartedAt {
  readonly relayId: string;
  readonly provider: string;
  readonly folder: string;
}
const placeOf = ({ relayId, provider, folder }: StartedAt): string =>
  JSON.stringify([relayId, provider, folder.replace(/(.)\/+$/, '$1')]);

function keptModes(): [string, unknown][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_MODES) ?? '{}');
    return typeof kept === 'object' && kept !== null ? Object.entries(kept) : [];
  } catch {
    return [];
  }
}

/** The mode that a conversation of this provider in this folder was begun in last, on this device. */
export function lastMode(at: StartedAt): RelayMode | undefined {
  const found = keptModes().find(([place]) => place === placeOf(at));
  return RelayMode.safeParse(found?.[1]).data;
}

export function rememberMode(at: StartedAt, mode: RelayMode): void {
  const place = placeOf(at);
  const others = keptModes().filter(([other]) => other !== place);
  const kept = Object.fromEntries([...others, [place, mode]].slice(-MODES_KEPT));
  try {
    localStorage.setItem(KEPT_MODES, JSON.stringify(kept));
  } catch {
    // It is only a convenience.
  }
}

/** Whether an agent of this provider could begin work now, as far as can be told. */
export function isReady({ status }: ProviderOnRelay): boolean {
  const { state } = status.client;
  return status.signedIn !== 'no' && (state === 'ready' || state === 'not-needed');
}

/** The relay to begin with: the last one if it is there, else one that is attached. */
export function relayToBeginWith(relays: readonly Relay[], last: LastStart): Relay | undefined {
  const attached = relays.filter((relay) => relay.attached);
  return attached.find((relay) => relay.id === last.relayId) ?? attached[0] ?? relays[0];
}

/** The provider to begin with: the last one, else one that is ready. */
export function offerToBeginWith(relay: Relay, last: LastStart): ProviderOnRelay | undefined {
  return (
    relay.providers.find((offer) => offer.descriptor.id === last.provider) ??
    relay.providers.find(isReady) ??
    relay.providers[0]
  );
}
