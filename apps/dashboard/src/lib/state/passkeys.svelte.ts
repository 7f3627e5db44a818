import {
  passkeyChangeText,
  type PasskeyChange,
  type PasskeyId,
  type PasskeyProof,
  type PasskeyRequirement,
  type Passkeys,
} from '#contracts';
import { makePasskey, provePasskey } from '../auth/passkey-ceremony.js';
import { api } from './hub.svelte.js';

const askNonce = () => api.passkeyNonce();
const prove = (change: PasskeyChange): Promise<PasskeyProof> =>
  provePasskey(askNonce, passkeyChangeText(change));

/** The person's passkeys as the hub last told them. Every change asks for one. */
class PasskeyBook {
  #told = $state.raw<Passkeys | undefined>(undefined);

  get told(): Passkeys | undefined {
    return this.#told;
  }

  async load(): Promise<void> {
    this.#told = await api.passkeys();
  }

  /** Once decisions need passkeys one that is known proves the new one. */
  async add(name: string): Promise<void> {
    const change = { kind: 'register', name } as const;
    const needsProof = this.#told !== undefined && this.#told.requirement !== 'off';
    const proof = needsProof ? { proof: await prove(change) } : {};
    const made = await makePasskey(askNonce, { name, text: passkeyChangeText(change) });
    this.#told = await api.registerPasskey({ ...made, ...proof });
  }

  async remove(id: PasskeyId): Promise<void> {
    this.#told = await api.removePasskey(id, await prove({ kind: 'remove', id }));
  }

  async require(requirement: PasskeyRequirement): Promise<void> {
    const proof = await prove({ kind: 'require', requirement });
    this.#told = await api.requirePasskeys({ requirement, proof });
  }
}

export const passkeys = new PasskeyBook();
