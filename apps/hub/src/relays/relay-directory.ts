import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ProviderDescriptor, ProviderId, ProviderStatus, Relay, RelayId } from '#contracts';
import { RelayStore } from '#domain';
import { RelayConnections, type AttachedRelay } from './relay-connections.js';

/** The relays that this hub knows, attached or away, with what their providers can do. */
@Injectable()
export class RelayDirectory {
  /** When another holder of a relay's key was last refused. */
  private readonly contests = new LRUCache<RelayId, number>({ max: 1_000 });

  constructor(
    private readonly relays: RelayStore,
    private readonly connections: RelayConnections,
  ) {}

  async list(): Promise<Relay[]> {
    const records = await this.relays.list();
    return records.map((record): Relay => {
      const attached = this.connections.find(record.id)?.relay;
      if (attached !== undefined) return this.shown(attached);
      const { id, name, version, lastSeenAt, providers } = record;
      return {
        ...{ id, name, version, attached: false, since: lastSeenAt, providers: [...providers] },
        ...this.contest(id),
      };
    });
  }

  async find(id: RelayId): Promise<Relay | undefined> {
    const attached = this.connections.find(id)?.relay;
    if (attached !== undefined) return this.shown(attached);
    return (await this.list()).find((relay) => relay.id === id);
  }

  async descriptor(id: RelayId, provider: ProviderId): Promise<ProviderDescriptor | undefined> {
    const providers = (await this.find(id))?.providers ?? [];
    return providers.find((offered) => offered.descriptor.id === provider)?.descriptor;
  }

  /** How one provider stands now; absent when the relay is away or does not offer it. */
  setStatus(id: RelayId, status: ProviderStatus): Relay | undefined {
    const relay = this.connections.find(id)?.relay;
    if (relay?.providers.some((offered) => offered.descriptor.id === status.id) !== true) {
      return undefined;
    }
    relay.providers = relay.providers.map((offered) =>
      offered.descriptor.id === status.id ? { ...offered, status } : offered,
    );
    return this.shown(relay);
  }

  shown(relay: AttachedRelay): Relay {
    const { id, name, version, since, providers } = relay;
    return {
      ...{ id, name, version, since, attached: true, providers: [...providers] },
      ...this.contest(id),
    };
  }

  /** Link rule 7: another holder of the relay's key was refused. @returns the relay as it is shown now */
  async contested(id: RelayId, at: number): Promise<Relay | undefined> {
    this.contests.set(id, at);
    return this.find(id);
  }

  uncontested(id: RelayId): void {
    this.contests.delete(id);
  }

  private contest(id: RelayId): Pick<Relay, 'contestedAt'> {
    const contestedAt = this.contests.get(id);
    return contestedAt === undefined ? {} : { contestedAt };
  }
}
