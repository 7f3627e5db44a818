import { type DeviceSnapshot } from '#contracts';

/** Remembers on this device which restoration the person has read of. */
const READ_KEY = 'coxswain.restoration-read';

/** Whether the hub's database was put back to an older state, which voids what this page holds of the one before. */
class Restoration {
  #incarnation = $state<string | undefined>(undefined);
  #at = $state<number | undefined>(undefined);
  #read = $state(localStorage.getItem(READ_KEY) ?? '');

  /** When the hub found out, until the person has put the news away. */
  get news(): number | undefined {
    return this.#incarnation === this.#read ? undefined : this.#at;
  }

  /** Takes what a snapshot says. @returns whether what is held is void */
  take({ incarnation, restoredAt }: Pick<DeviceSnapshot, 'incarnation' | 'restoredAt'>): boolean {
    const isVoid = this.#incarnation !== undefined && this.#incarnation !== incarnation;
    this.#incarnation = incarnation;
    this.#at = restoredAt;
    return isVoid;
  }

  putAway(): void {
    this.#read = this.#incarnation ?? '';
    localStorage.setItem(READ_KEY, this.#read);
  }
}

export const restoration = new Restoration();
