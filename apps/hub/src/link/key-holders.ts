import { Injectable } from '@nestjs/common';
import type { LinkRefusal, RelayAttach, RelayId } from '#contracts';
import {
  afterAttach,
  holderOf,
  nextTokenNumber,
  RelayStore,
  type Holder,
  type RelayRecord,
  type ShownToken,
} from '#domain';
import { RelayConnections } from '../relays/relay-connections.js';
import { HolderAlarm } from './holder-alarm.js';
import { linkRefusal } from './link-refusal.js';
import { RelayTokens, type IssuedToken } from './relay-tokens.js';
import { stillAnswers } from './still-answers.js';

/** A relay that may hold its key. */
export interface Admitted {
  readonly holder: Exclude<Holder, 'other'>;
  readonly shown: ShownToken | undefined;
}

/** link.7: of those that have a relay's key one is let in, the one that was attached last. */
@Injectable()
export class KeyHolders {
  constructor(
    private readonly relays: RelayStore,
    private readonly connections: RelayConnections,
    private readonly tokens: RelayTokens,
    private readonly alarm: HolderAlarm,
  ) {}

  async admit(record: RelayRecord, attach: RelayAttach): Promise<Admitted | LinkRefusal> {
    const shown =
      attach.token === undefined ? undefined : this.tokens.read(record.publicKey, attach.token);
    const book = record.tokens;
    const holder = holderOf(book, shown);
    if (holder === 'other') {
      return this.refuse(
        record.id,
        attach,
        'This relay has the right key, but not the token that the hub gave to the relay that was attached last. ' +
          'Stop the other relay that has this key, or give this one a key of its own. If this is the one that is to ' +
          'stay, choose "Let it begin anew" at this machine in the settings of the dashboard.',
      );
    }
    if (await this.anotherAnswers(record.id, attach.instance)) {
      return this.refuse(
        record.id,
        attach,
        'Another relay holds this key and answers. Stop it, or give this one a key of its own.',
      );
    }
    return { holder, shown };
  }

  /** Gives the relay its next token; what it showed is good until it says that it has that. */
  async giveToken(record: RelayRecord, { holder, shown }: Admitted): Promise<IssuedToken> {
    const { id, publicKey, tokens: book } = record;
    const issued = this.tokens.issue(publicKey, nextTokenNumber(book, shown));
    const after = afterAttach({ book, holder, shown, issued });
    if (!(await this.relays.tokenIssued(id, { before: book, after }))) {
      throw new Error('the tokens of the relay changed meanwhile');
    }
    return issued;
  }

  private async anotherAnswers(id: RelayId, instance: string): Promise<boolean> {
    const held = this.connections.find(id);
    if (held === undefined || held.relay.instance === instance) return false;
    return stillAnswers(held.socket);
  }

  private async refuse(id: RelayId, attach: RelayAttach, message: string): Promise<LinkRefusal> {
    await this.alarm.raise(id, attach);
    return linkRefusal('RELAY_DUPLICATE', message);
  }
}
