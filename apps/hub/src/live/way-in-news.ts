import { Injectable } from '@nestjs/common';
import type { CertificateTrouble, DeviceSnapshot, PersonId } from '#contracts';
import { SignInLinkStore } from '#domain';
import { HubLog } from '../platform/hub-log.js';
import { EVERYBODY } from './device-socket.js';
import { Rooms } from './rooms.js';

/** What a person has to know of the ways into the hub: links that were used again (S1), a certificate in trouble (S5). */
@Injectable()
export class WayInNews {
  private trouble: CertificateTrouble | undefined;

  constructor(
    private readonly links: SignInLinkStore,
    private readonly rooms: Rooms,
    private readonly log: HubLog,
  ) {}

  /** What stands now. */
  async of(personId: PersonId): Promise<Pick<DeviceSnapshot, 'linkAlarms' | 'certificateTrouble'>> {
    const linkAlarms = await this.links.alarms(personId);
    return this.trouble === undefined
      ? { linkAlarms }
      : { linkAlarms, certificateTrouble: this.trouble };
  }

  /** Tells the log and every device, where it is another trouble than before; absent once nothing is wrong any more. */
  certificate(trouble: CertificateTrouble | undefined): void {
    if (trouble?.kind === this.trouble?.kind && trouble?.endsAt === this.trouble?.endsAt) return;
    this.trouble = trouble;
    if (trouble === undefined) this.log.log('the certificate is in order');
    else this.log.warn('the certificate needs care', { ...trouble });
    this.rooms.tell(EVERYBODY, 'certificate', trouble === undefined ? {} : { trouble });
  }
}
