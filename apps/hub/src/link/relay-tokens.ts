import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RelayToken } from '#contracts';
import type { ShownToken } from '#domain';
import { HubKey } from '../platform/hub-key.js';

/** A token that was made now, with what is kept of it. */
export interface IssuedToken {
  readonly token: RelayToken;
  readonly hash: string;
  readonly n: number;
}

/** Tokens of relays (link rule 7): signed, so that one can be told from a guess where no record of it is left. */
@Injectable()
export class RelayTokens {
  constructor(private readonly key: HubKey) {}

  issue(relayKey: string, n: number): IssuedToken {
    const random = randomBytes(16).toString('base64url');
    const signature = this.key.sign(signedText({ relayKey, n, random }));
    const token = RelayToken.parse(`${n}.${random}.${signature}`);
    return { token, hash: hashOf(token), n };
  }

  read(relayKey: string, token: RelayToken): ShownToken {
    const [number = '', random = '', signature = ''] = token.split('.');
    const n = Number(number);
    // Ed25519 signs the same text the same way each time.
    const genuine = this.key.sign(signedText({ relayKey, n, random })) === signature;
    return { hash: hashOf(token), n, genuine };
  }
}

const hashOf = (token: RelayToken): string =>
  createHash('sha256').update(token).digest('base64url');

const signedText = (of: { relayKey: string; n: number; random: string }): string =>
  ['coxswain relay token 1', of.relayKey, of.n, of.random].join('\n');
