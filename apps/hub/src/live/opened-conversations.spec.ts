import { describe, expect, it, jest } from '@jest/globals';
import type { ConversationId } from '#contracts';
import type { ConversationReads } from '#domain';
import type { HubLog } from '../platform/hub-log.js';
import type { DeviceSocket } from './device-socket.js';
import { OpenedConversations } from './opened-conversations.js';
import { Rooms } from './rooms.js';

const ID = 'c' as ConversationId;

describe('a conversation that is closed while it is being opened', () => {
  it('[link.devices] is answered and not followed', async () => {
    let read: (value: unknown) => void = () => undefined;
    const reads = {
      conversation: () => Promise.resolve({ personId: 'p' }),
      open: () => new Promise((resolve) => (read = resolve)),
    };
    const rooms = new Rooms();
    const opened = new OpenedConversations(
      reads as unknown as ConversationReads,
      rooms,
      {} as HubLog,
    );
    const socket = {
      connected: true,
      data: { device: { personId: 'p' }, open: new Map() },
      join: jest.fn(),
      leave: () => Promise.resolve(),
      emit: jest.fn(),
    };
    const reply = jest.fn();
    const device = socket as unknown as DeviceSocket;

    const opening = opened.open({ socket: device, conversationId: ID, after: 0, reply });
    await Promise.resolve();
    await opened.close(device, ID);
    read({ page: { events: [] }, replay: false });
    await opening;

    expect(reply).toHaveBeenCalledTimes(1);
    expect(socket.join).not.toHaveBeenCalled();
    expect(socket.data.open.size).toBe(0);
  });
});
