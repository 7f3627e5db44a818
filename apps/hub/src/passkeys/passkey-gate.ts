import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CardBody, PasskeyProof, PasskeyRequirement, PersonId } from '#contracts';
import {
  counterWentBack,
  needsPasskey,
  PasskeyStore,
  type Deed,
  type PasskeyRecord,
} from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { HubLog } from '../platform/hub-log.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { PasskeyNonces } from './passkey-nonces.js';
import { checkAssertion, demandRpId } from './webauthn.js';

/** How long a requirement changed by another hub may still be unknown here. */
const KEPT_MS = 5_000;

/** What came with a request, at the checked origin of its page. */
export interface OfferedProof {
  readonly passkey: PasskeyProof | undefined;
  readonly origin: string;
}

interface Demand {
  readonly by: KnownDevice;
  /** What is decided, whole. */
  readonly text: string;
  readonly proof: OfferedProof;
}

/** What the audit log keeps of a proof (S4): enough to verify it again. */
type Kept = NonNullable<Deed['passkey']>;

/** S1: lets a decision pass that needs the person's passkey only with a good proof by one, for this very decision. */
@Injectable()
export class PasskeyGate {
  private readonly requirements = new LRUCache<PersonId, PasskeyRequirement>({
    max: 200,
    ttl: KEPT_MS,
  });

  constructor(
    private readonly store: PasskeyStore,
    private readonly nonces: PasskeyNonces,
    private readonly log: HubLog,
  ) {}

  /** @throws HubRefusal PASSKEY_NEEDED, PASSKEY_REFUSED */
  async forCard(card: CardBody, demand: Demand): Promise<Kept | undefined> {
    const requirement = await this.requirementOf(demand.by.personId);
    return needsPasskey(requirement, card) ? this.demand(demand) : undefined;
  }

  /**
   * A proof, whatever is required otherwise.
   *
   * @throws HubRefusal PASSKEY_NEEDED, PASSKEY_REFUSED
   */
  async demand(demand: Demand): Promise<Kept> {
    const { passkey } = demand.proof;
    if (passkey === undefined) {
      throw new HubRefusal('PASSKEY_NEEDED', 'This needs a passkey of yours.');
    }
    const use = JSON.stringify([demand.text, demand.proof]);
    const spending = { nonce: passkey.nonce, by: demand.by.deviceId, use };
    return this.nonces.once(spending, () => this.verify(passkey, demand));
  }

  async requirementOf(personId: PersonId): Promise<PasskeyRequirement> {
    const kept = this.requirements.get(personId);
    if (kept !== undefined) return kept;
    const requirement = await this.store.requirement(personId);
    this.requirements.set(personId, requirement);
    return requirement;
  }

  /** To be called when a requirement was changed. */
  forget(personId: PersonId): void {
    this.requirements.delete(personId);
  }

  private async verify(proof: PasskeyProof, { by, text, proof: offered }: Demand): Promise<Kept> {
    const { origin } = offered;
    const rpId = demandRpId(origin);
    const all = await this.store.list(by.personId);
    const passkey = all.find(({ credentialId }) => credentialId === proof.credentialId);
    if (passkey === undefined || passkey.rpId !== rpId || passkey.suspendedAt !== undefined) {
      throw new HubRefusal('PASSKEY_REFUSED', 'That passkey is not one of yours for this address.');
    }
    const counter = await checkAssertion(proof, passkey, { origin, rpId, text });
    await this.count(passkey, counter, by);
    const { id, name, publicKey } = passkey;
    return { id, name, rpId, origin, publicKey, ...proof };
  }

  /** A counter that goes back tells of a copy of the passkey: it is good for nothing from here on. */
  private async count(passkey: PasskeyRecord, now: number, by: KnownDevice): Promise<void> {
    const { id, name, counter: before } = passkey;
    const wentBack = counterWentBack({ before, now });
    if (!wentBack && (await this.store.used(id, now))) return;
    this.log.warn('a passkey counted backwards and was suspended', { passkeyId: id });
    await this.store.suspend(id, {
      by: actorOf(by),
      action: 'passkey-suspended',
      body: { passkeyId: id, name, before, now },
    });
    throw new HubRefusal(
      'PASSKEY_REFUSED',
      'This passkey counted backwards, as a copy does. It was suspended; look at your passkeys.',
    );
  }
}
