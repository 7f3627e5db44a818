import {
  type ProviderDescriptor,
  type ProviderId,
  type ProviderOnRelay,
  type Relay,
  type RelayId,
} from '#contracts';

/** The machines that run agents, and what they offer. */
class RelayList {
  #relays = $state.raw<readonly Relay[]>([]);
  #known = $state(false);

  get all(): readonly Relay[] {
    return this.#relays;
  }
  /** Whether the hub has told of them yet. */
  get known(): boolean {
    return this.#known;
  }

  find(id: RelayId | undefined): Relay | undefined {
    return this.#relays.find((relay) => relay.id === id);
  }

  offer(relayId: RelayId | undefined, provider: ProviderId): ProviderOnRelay | undefined {
    return this.find(relayId)?.providers.find((one) => one.descriptor.id === provider);
  }

  /** A provider's descriptor, from its own relay or from any other that has it. */
  descriptor(provider: ProviderId, relayId?: RelayId): ProviderDescriptor | undefined {
    const own = this.offer(relayId, provider);
    const any =
      own ??
      this.#relays
        .flatMap((relay) => relay.providers)
        .find((one) => one.descriptor.id === provider);
    return any?.descriptor;
  }

  isAway(id: RelayId): boolean {
    return this.find(id)?.attached === false;
  }

  takeAll(relays: readonly Relay[]): void {
    this.#relays = relays;
    this.#known = true;
  }

  take(relay: Relay): void {
    const others = this.#relays.filter((held) => held.id !== relay.id);
    this.#relays = [...others, relay].sort((a, b) => a.name.localeCompare(b.name));
  }
}

export const relays = new RelayList();
