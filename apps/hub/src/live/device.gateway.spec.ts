import { describe, expect, it, jest } from '@jest/globals';
import type { Authenticate } from '../identity/authenticate.js';
import type { HubLog } from '../platform/hub-log.js';
import { DeviceGateway } from './device.gateway.js';
import type { DeviceSocket } from './device-socket.js';
import type { OpenedConversations } from './opened-conversations.js';
import type { Rooms } from './rooms.js';
import type { Snapshots } from './snapshots.js';

describe('a device that is revoked between its handshake and its place among the connected', () => {
  it('[S1] is told, sees nothing and is closed', async () => {
    const snapshots = { give: jest.fn() };
    const gateway = new DeviceGateway(
      { isSignedIn: () => Promise.resolve(false) } as unknown as Authenticate,
      {} as Rooms,
      snapshots as unknown as Snapshots,
      {} as OpenedConversations,
      {} as HubLog,
    );
    const socket = {
      data: { device: { deviceId: 'd' } },
      join: () => Promise.resolve(),
      emit: jest.fn(),
      disconnect: jest.fn(),
    };
    await gateway.handleConnection(socket as unknown as DeviceSocket);
    expect(socket.emit).toHaveBeenCalledWith('signed-out', { reason: 'revoked' });
    expect(socket.disconnect).toHaveBeenCalledWith(true);
    expect(snapshots.give).not.toHaveBeenCalled();
  });
});
