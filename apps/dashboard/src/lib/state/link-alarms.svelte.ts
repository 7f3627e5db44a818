import type { LinkAlarm } from '#contracts';

/** S1: spent links that somebody used again. They stay until a person has seen them, on whatever device. */
class LinkAlarms {
  #all = $state.raw<readonly LinkAlarm[]>([]);

  get all(): readonly LinkAlarm[] {
    return this.#all;
  }

  takeAll(alarms: readonly LinkAlarm[]): void {
    this.#all = alarms;
  }
}

export const linkAlarms = new LinkAlarms();
