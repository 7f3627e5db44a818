import { Injectable } from '@nestjs/common';
import {
  ConfigureReply,
  FolderReply,
  type FolderListing,
  type ProviderId,
  type ProviderStatus,
  type RelayId,
} from '#contracts';
import { AuditStore } from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { relayAway, RelayConnections } from './relay-connections.js';

/** How long a relay may take to answer before it counts as away. */
const ANSWER_MS = 10_000;

/** Questions to a relay that it answers at once and that are stored nowhere. */
@Injectable()
export class AskRelay {
  constructor(
    private readonly connections: RelayConnections,
    private readonly audit: AuditStore,
  ) {}

  async folders(relayId: RelayId, path: string | undefined): Promise<FolderListing> {
    const { socket } = this.connections.demand(relayId);
    const call = path === undefined ? {} : { path };
    const answer = await answered(socket.timeout(ANSWER_MS).emitWithAck('list-folders', call));
    const reply = FolderReply.safeParse(answer);
    if (!reply.success) throw unreadable(reply.error);
    if (!reply.data.ok) throw new HubRefusal('INVALID', reply.data.message);
    return reply.data.listing;
  }

  async configure(of: {
    relayId: RelayId;
    provider: ProviderId;
    values: Record<string, string>;
    by: KnownDevice;
  }): Promise<ProviderStatus> {
    const { socket } = this.connections.demand(of.relayId);
    const { provider, values } = of;
    const call = { provider, values };
    const answer = await answered(
      socket.timeout(ANSWER_MS).emitWithAck('configure-provider', call),
    );
    const reply = ConfigureReply.safeParse(answer);
    if (!reply.success) throw unreadable(reply.error);
    if (!reply.data.ok) throw new HubRefusal('INVALID', reply.data.message);
    await this.audit.add({
      by: actorOf(of.by),
      action: 'provider-configured',
      // The values may be secret: only their names are written down.
      body: { relayId: of.relayId, provider, settings: Object.keys(values) },
    });
    return reply.data.status;
  }
}

async function answered(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch {
    throw relayAway();
  }
}

const unreadable = (cause: unknown): HubRefusal =>
  new HubRefusal('UNAVAILABLE', 'The relay gave an answer that cannot be read.', { cause });
