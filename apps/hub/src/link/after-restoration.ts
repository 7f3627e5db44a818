import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../identity/access-tokens.js';
import { DeviceRooms } from '../live/device-rooms.js';
import { HubLog } from '../platform/hub-log.js';

/** link.10: what the processes of a hub held of the incarnation before is void. */
@Injectable()
export class AfterRestoration {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly rooms: DeviceRooms,
    private readonly log: HubLog,
  ) {}

  /** Devices prove themselves anew and are told of the new incarnation with their snapshot. */
  began(of: { readonly incarnation: string; readonly conversations: number }): void {
    this.log.warn('the database was put back to an older state; a new incarnation begins', of);
    this.tokens.forgetKey();
    this.rooms.endSessions();
  }
}
