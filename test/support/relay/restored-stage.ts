import {
  ToolCallId,
  type Card,
  type CardRequest,
  type Conversation,
  type ConversationId,
  type ProviderId,
  type StoredEvent,
} from '#contracts';
import type { DeviceClient } from '../device-client.js';
import { openTestDatabase, type TestDatabase } from '../postgres.js';
import type { PuppetSession } from './puppet-driver.js';
import { makeRealLink, type RealLink } from './real-link.js';

const PUPPET = 'puppet' as ProviderId;
/** The tool call of this name. */
export const call = (name: string): ToolCallId => ToolCallId.parse(`toolu_${name}`);

/** A hub and a relay over a database that can be put back. */
export class RestoredStage {
  /** Tokens that the relay had been given when the backup was made. */
  #tokensThen = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly link: RealLink,
    readonly phone: DeviceClient,
  ) {}

  static async make(limits: Parameters<typeof makeRealLink>[1] = {}): Promise<RestoredStage> {
    const database = await openTestDatabase();
    const link = await makeRealLink(database.addresses.app, limits);
    const phone = await link.hub.device('Phone');
    await phone.connect();
    await link.startRelay();
    return new RestoredStage(database, link, phone);
  }

  async start(text: string): Promise<Conversation> {
    const relayId = await this.link.attached(this.phone);
    return this.phone.start({ relayId, provider: PUPPET, text });
  }

  /** Makes a backup; what it gives puts it back. The hub is away meanwhile, the relay is not. */
  async backUp(): Promise<() => Promise<void>> {
    let restore: (() => Promise<void>) | undefined;
    await this.link.hub.restart(async () => {
      const { rows } = await this.database.owner.query('select tokens_issued as n from relay');
      this.#tokensThen = rows[0].n;
      restore = await this.database.backUp?.();
    });
    await this.phone.connect();
    await this.link.attached(this.phone);
    return async () => {
      await this.link.hub.restart(restore);
      // Its token may have been voided by now.
      await this.phone.renew();
    };
  }

  /** Resolves when the hub has all that its relay has said and told back. */
  async settled(): Promise<void> {
    await this.until(
      `select from setting where not exists (select from conversation_head where remembers_n is not null)
       and not exists (select from outbox) limit 1`,
    );
  }

  async until(query: string, values: unknown[] = []): Promise<void> {
    for (;;) {
      const { rowCount } = await this.database.owner.query(query, values);
      if (rowCount !== 0) return;
    }
  }

  /** Resolves when the relay was taken in by the new incarnation: by then the hub has voided what it held before. */
  async restored(): Promise<void> {
    await this.until(`select from audit where action = 'hub-restored'`);
    await this.until('select from relay where tokens_issued > $1', [this.#tokensThen]);
    await this.phone.renew();
  }

  async events(id: ConversationId): Promise<StoredEvent[]> {
    const { body } = await this.phone.get(`/api/conversations/${id}`);
    return (body as { events: StoredEvent[] }).events;
  }

  async hasText(id: ConversationId, text: string): Promise<void> {
    await this.until(
      `select from event where conversation_id = $1 and body ->> 'text' = $2 limit 1`,
      [id, text],
    );
  }

  /** The request of a call as it stands in the log of its conversation. */
  async request(toolCallId: ToolCallId): Promise<CardRequest | undefined> {
    const { rows } = await this.database.owner.query(
      'select id from request where tool_call_id = $1',
      [toolCallId],
    );
    const found = rows[0] && (await this.database.store.reads.request(rows[0].id));
    return found?.request;
  }

  async asks(session: PuppetSession, toolCallId: ToolCallId): Promise<Card> {
    session.ask(toolCallId, `About ${toolCallId}?`);
    await this.until('select from request where tool_call_id = $1', [toolCallId]);
    const request = await this.request(toolCallId);
    const [card] = request?.cards ?? [];
    if (card === undefined) throw new Error('no card opened');
    return card;
  }

  async close(): Promise<void> {
    this.phone.close();
    await this.link.close();
    await this.database.remove();
  }
}
