import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  TurnId,
  type Conversation,
  type ConversationId,
  type ProviderId,
  type RelayMessage,
} from '#contracts';
import type { DeviceClient } from './device-client.js';
import { bootHub, type TestHub } from './hub.js';
import { openTestDatabase, type TestDatabase } from './postgres.js';

/** The provider that the relay of tests offers. */
export const PROVIDER = 'scripted' as ProviderId;

const turnId = TurnId.parse(randomUUID());

/** What an agent said, as its relay sends it. */
export const said = (text: string): RelayMessage => ({
  kind: 'agent-events',
  events: [{ kind: 'text', turnId, blockId: text.slice(0, 50), text }],
});

/** What the tests of a file share; each test has a conversation of its own. */
export interface LinkedHub {
  readonly database: TestDatabase;
  readonly hub: TestHub;
  readonly phone: DeviceClient;
  readonly conversation: Conversation;
  /** The texts of a conversation as a device is shown them. */
  texts(id: ConversationId): Promise<string[]>;
}

/** For a whole file: a hub over a database of its own, a connected device, an attached relay. */
export function useLinkedHub(): LinkedHub {
  let database: TestDatabase;
  let hub: TestHub;
  let phone: DeviceClient;
  let conversation: Conversation;

  beforeAll(async () => {
    database = await openTestDatabase();
    hub = await bootHub(database.addresses.app);
    phone = await hub.device('Phone');
    await phone.connect();
  }, 60_000);

  beforeEach(async () => {
    hub.relay.acknowledges = true;
    if (hub.relay.socket?.connected !== true) await hub.relay.attach(hub.url);
    conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
    await hub.relay.hear(conversation.id, 'send-message');
    hub.relay.receipts.clear();
  });

  afterAll(async () => {
    await hub.close();
    await database.remove();
  });

  return {
    get database() {
      return database;
    },
    get hub() {
      return hub;
    },
    get phone() {
      return phone;
    },
    get conversation() {
      return conversation;
    },
    async texts(id) {
      const opened = await phone.open(id);
      if (opened.kind === 'refused') throw new Error(opened.message);
      return opened.page.events.flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));
    },
  };
}
