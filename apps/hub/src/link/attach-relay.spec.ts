import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { RelayAttach, relayProofText } from '#contracts';
import type { RelayStore } from '#domain';
import type { HubKey } from '../platform/hub-key.js';
import type { HubLog } from '../platform/hub-log.js';
import { RelayConnections, type RelaySocket } from '../relays/relay-connections.js';
import { AttachRelay } from './attach-relay.js';
import type { ComparePlaces } from './compare-places.js';
import type { KeyHolders } from './key-holders.js';
import { RelayGateway } from './relay.gateway.js';
import type { RelayTraffic } from './relay-traffic.js';

const ID = '00000000-0000-4000-8000-000000000001';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const relayKey = publicKey.export({ format: 'jwk' }).x ?? '';
const hubKey = randomBytes(32).toString('base64url');
const nonce = randomBytes(32).toString('base64url');

const attach = RelayAttach.parse({
  signature: sign(
    null,
    Buffer.from(relayProofText({ hubNonce: nonce, hubKey, relayKey })),
    privateKey,
  ).toString('base64url'),
  name: 'Relay',
  instance: ID,
  version: '0.0.0',
  providers: [],
  conversations: [],
});

/** A relay's socket, with a proof that is waited for. */
const aSocket = () => ({ connected: true, data: { challenge: { relayKey, nonce } } });

describe('a relay that leaves while it is taken in', () => {
  it('[link.7] is not attached, for its end has been heard before', async () => {
    const socket = aSocket();
    const connections = new RelayConnections();
    const relays = {
      byKey: () => Promise.resolve({ id: ID }),
      attached: () => Promise.resolve(((socket.connected = false), 1)),
    };
    const attaching = new AttachRelay(
      { publicKey: hubKey } as HubKey,
      relays as unknown as RelayStore,
      { admit: () => Promise.resolve({}) } as unknown as KeyHolders,
      connections,
      {} as ComparePlaces,
    );
    const taken = attaching.attach(socket as unknown as RelaySocket, attach);
    await expect(taken).rejects.toThrow('left');
    expect(connections.find(ID as never)).toBeUndefined();
  });

  it('[link.7] is not told of as attached, also where it leaves at the last moment', async () => {
    const socket = aSocket();
    const attaching = {
      attach: () => Promise.resolve(((socket.connected = false), { relay: {}, answer: {} })),
    };
    const traffic = { begin: jest.fn() };
    const gateway = new RelayGateway(
      attaching as unknown as AttachRelay,
      traffic as unknown as RelayTraffic,
      {} as HubLog,
    );
    await gateway.attach(socket as unknown as RelaySocket, attach, () => undefined);
    expect(traffic.begin).not.toHaveBeenCalled();
  });
});
