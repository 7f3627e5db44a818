import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FrontDoor, PortTakenError } from '../../../apps/supervisor/src/front-door.js';

const open: { close(): void }[] = [];
const frontDoor = async (options: Partial<ConstructorParameters<typeof FrontDoor>[0]> = {}) => {
  const door = new FrontDoor({ port: 0, ...options });
  await door.listen();
  open.push(door);
  return door;
};
const knock = (port: number): Socket => {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  open.push({ close: () => client.destroy() });
  return client;
};

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

describe('the front door with no hub behind it', () => {
  it('[processes] keeps as many connections waiting as it may, and closes the next one', async () => {
    const door = await frontDoor({ mostWaiting: 2 });
    const [first, second] = [knock(door.port), knock(door.port)];
    while (door.waiting < 2) await nextTurn();
    await once(knock(door.port), 'close');
    expect(door.waiting).toBe(2);
    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
  });

  it('[processes] closes a connection that no hub came for', async () => {
    const door = await frontDoor({ waitsMs: 1 });
    await once(knock(door.port), 'close');
    expect(door.waiting).toBe(0);
  });

  it('[processes] hands over what waited in the order in which it came', async () => {
    const door = await frontDoor();
    const ports: (number | undefined)[] = [];
    for (const number of [1, 2, 3]) {
      const client = knock(door.port);
      while (door.waiting < number) await nextTurn();
      ports.push(client.localPort);
    }
    const taken: (number | undefined)[] = [];
    door.openTo({ take: (socket) => taken.push(socket.remotePort) && socket.destroy() });
    expect(taken).toEqual(ports);
  });

  it('[processes] keeps a connection that a dying hub did not take for the next hub', async () => {
    const door = await frontDoor();
    door.openTo({ take: (_socket, refused) => refused() });
    knock(door.port);
    while (door.waiting < 1) await nextTurn();
    const taken: number[] = [];
    door.openTo({ take: (socket) => taken.push(1) && socket.destroy() });
    expect(taken).toEqual([1]);
  });
});

it('[processes] a port that somebody else has is named as such', async () => {
  const { port } = await frontDoor();
  await expect(new FrontDoor({ port }).listen()).rejects.toThrow(PortTakenError);
});
