import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConversationId, HubEnvelope, RelayId } from '#contracts';
import type { LinkStore } from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import type { HubLog } from '../platform/hub-log.js';
import { Outbox } from './outbox.js';
import { RelayConnections, type RelayConnection } from './relay-connections.js';

const ID = 'c' as ConversationId;
const RELAY = 'r' as RelayId;
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const envelope = (n: number, epoch = 1): HubEnvelope =>
  ({ conversationId: ID, epoch, n, message: { kind: 'interrupt' } }) as HubEnvelope;

let stored: HubEnvelope[];
let sent: number[];
let forgotten: number[];
let outbox: Outbox;
let connection: RelayConnection;

beforeEach(() => {
  stored = [];
  sent = [];
  forgotten = [];
  const link = {
    outbox: ({ epoch }: { epoch: number }, after: number) =>
      Promise.resolve(stored.filter((one) => one.epoch === epoch && one.n > after)),
    acknowledged: (_: RelayId, upTo: { n: number }[]) => {
      forgotten.push(...upTo.map(({ n }) => n));
      return Promise.resolve();
    },
  };
  const connections = new RelayConnections();
  const socket = {
    emit: (_: string, batch: { messages: HubEnvelope[] }) =>
      void sent.push(...batch.messages.map(({ n }) => n)),
  };
  connection = {
    socket,
    relay: { id: RELAY, lines: new Map(), lastSent: new Map() },
  } as unknown as RelayConnection;
  connections.add(connection);
  outbox = new Outbox(link as unknown as LinkStore, connections, {} as HubLog, new HubMetrics());
});

describe('what the hub hands to a relay', () => {
  it('[link.1] messages committed together go out in the order of their numbers', async () => {
    outbox.handOut(RELAY, [envelope(2)]);
    outbox.handOut(RELAY, [envelope(1)]);
    await turns();
    expect(sent).toEqual([1, 2]);
  });

  it('[link.1] what follows the last one that was sent goes out at once', async () => {
    outbox.handOut(RELAY, [envelope(1)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 1 }]);
    outbox.handOut(RELAY, [envelope(2), envelope(3)]);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('[link.1] a number that is missing is read from the store before what follows it', async () => {
    outbox.handOut(RELAY, [envelope(1)]);
    await turns();
    stored = [envelope(1), envelope(2), envelope(3)];
    outbox.handOut(RELAY, [envelope(3)]);
    await turns();
    expect(sent).toEqual([1, 2, 3]);
  });

  it('[link.1] after an attach all that was not received is sent, with what came meanwhile', async () => {
    stored = [envelope(4), envelope(5)];
    connection.relay.opening = new Map();
    outbox.handOut(RELAY, [envelope(5)]);
    await turns();
    expect(sent).toEqual([]);
    outbox.open(connection, [{ conversationId: ID, epoch: 1, received: 3 }]);
    await turns();
    expect(sent).toEqual([4, 5]);
  });

  it('[link.1] what was acknowledged is forgotten', async () => {
    outbox.handOut(RELAY, [envelope(1)]);
    await turns();
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 1 }]);
    await jest.advanceTimersByTimeAsync(500);
    jest.useRealTimers();
    expect(forgotten).toEqual([1]);
    expect(connection.relay.lines.size).toBe(0);
  });

  it('[link.1] the same acknowledgement twice means a gap: the rest is sent again', async () => {
    stored = [envelope(1), envelope(2)];
    outbox.handOut(RELAY, [envelope(1), envelope(2)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 0 }]);
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 0 }]);
    await turns();
    expect(sent).toEqual([1, 2, 1, 2]);
  });

  it('[link.1] of two that come in the wrong order none is lost', async () => {
    outbox.handOut(RELAY, [envelope(1)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 1 }]);
    stored = [envelope(2), envelope(3)];
    outbox.handOut(RELAY, [envelope(3)]);
    await turns();
    outbox.handOut(RELAY, [envelope(2)]);
    await turns();
    expect(sent).toEqual([1, 2, 3]);
  });

  it('[link.2] an epoch that begins on the same connection is sent from its first number', async () => {
    outbox.handOut(RELAY, [envelope(1), envelope(2)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 2 }]);
    outbox.handOut(RELAY, [envelope(1, 2), envelope(2, 2)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 2, n: 2 }]);
    outbox.handOut(RELAY, [envelope(3, 2)]);
    expect(sent).toEqual([1, 2, 1, 2, 3]);
  });

  it('[link.2] an acknowledgement of the epoch before says nothing of the one in force', async () => {
    stored = [envelope(1, 2), envelope(2, 2)];
    outbox.handOut(RELAY, [envelope(1, 2), envelope(2, 2)]);
    await turns();
    outbox.acknowledged(connection, [{ conversationId: ID, epoch: 1, n: 7 }]);
    expect([...connection.relay.lines.values()]).toMatchObject([{ sent: 2 }]);
  });

  it('[link.1] nothing is sent to a relay that is away; the store keeps it', async () => {
    outbox.handOut('other' as RelayId, [envelope(1)]);
    await turns();
    expect(sent).toEqual([]);
  });
});
