import { type ProviderOnRelay, type Relay } from '#contracts';

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
