/** Thrown where a session ended while something was being handed to it. */
export const SESSION_OVER = new Error('the session ended in the middle of a hand-over');

/** The end of one session, for what waits on it: a driver whose client died may never settle what it was given. */
export class SessionOver {
  readonly #over: Promise<never>;
  #tell: () => void = () => undefined;

  constructor() {
    this.#over = new Promise((_, reject) => {
      this.#tell = () => reject(SESSION_OVER);
    });
    // Nobody may be waiting.
    this.#over.catch(() => undefined);
  }

  tell(): void {
    this.#tell();
  }

  /** Settles as `handing` does. @throws {SESSION_OVER} where the session ends first */
  orElse<T>(handing: Promise<T>): Promise<T> {
    return Promise.race([handing, this.#over]);
  }
}
