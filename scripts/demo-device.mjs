// A device as the page is one, for the demo: a key of its own, an access token, the normal HTTP API.
import { generateKeyPairSync, sign } from 'node:crypto';

/** The functions that say what is signed are the product's own, so they are handed in from what was built. */
export class DemoDevice {
  #origin;
  #texts;
  #key;
  #publicKey;
  #token;

  /** @param {string} origin such as `http://127.0.0.1:7727` */
  constructor(origin, texts) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { kty, crv, x, y } = pair.publicKey.export({ format: 'jwk' });
    this.#origin = origin;
    this.#texts = texts;
    this.#key = pair.privateKey;
    this.#publicKey = { kty, crv, x, y };
  }

  /** Spends a one-time link. */
  async signIn(secret, name) {
    const origin = this.#origin;
    const { deviceId } = await this.call('POST', '/api/sign-in', {
      secret,
      name,
      publicKey: this.#publicKey,
      signature: this.#sign(this.#texts.signInText({ origin, secret, name })),
    });
    const { challenge } = await this.call('POST', '/api/devices/challenge', { deviceId });
    const signature = this.#sign(this.#texts.challengeText({ origin, deviceId, challenge }));
    const token = await this.call('POST', '/api/devices/token', { deviceId, challenge, signature });
    this.#token = token.accessToken;
  }

  /** @returns what came back; a refusal is an error with the hub's words */
  async call(method, path, body) {
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        origin: this.#origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  #sign(text) {
    const key = { key: this.#key, dsaEncoding: 'ieee-p1363' };
    return sign('sha256', Buffer.from(text), key).toString('base64url');
  }
}
