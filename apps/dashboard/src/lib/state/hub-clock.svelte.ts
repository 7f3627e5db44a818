/** Time as the hub's database counts it: deadlines are its, and this device's clock may be off (C7). */
class HubClock {
  #offset = $state(0);
  #ticks = $state(Date.now());

  constructor() {
    setInterval(() => {
      this.#ticks = Date.now();
    }, 1_000);
  }

  /** Now, once a second; what is shown by it changes by itself. */
  get now(): number {
    return this.#ticks + this.#offset;
  }

  /** Takes the hub's own time along with something that it sent. */
  set(hubNow: number): void {
    this.#ticks = Date.now();
    this.#offset = hubNow - this.#ticks;
  }
}

export const hubClock = new HubClock();
