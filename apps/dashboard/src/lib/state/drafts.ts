/** What keeps text over a reload; localStorage in the page. */
export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'coxswain.draft.';

/**
 * Text that a person has begun to type, per device (D6). It survives reloads, losing a race, and an answer that
 * the hub refused; it goes away only when it was sent or emptied.
 */
export class Drafts {
  /** Stands in where the browser forbids storage or it is full: then a draft lives as long as the page. */
  readonly #memory = new Map<string, string>();

  constructor(private readonly store: TextStore | undefined) {}

  read(subject: string): string {
    const held = this.#memory.get(subject);
    if (held !== undefined) return held;
    try {
      return this.store?.getItem(PREFIX + subject) ?? '';
    } catch {
      return '';
    }
  }

  write(subject: string, text: string): void {
    if (text === '') return this.clear(subject);
    this.#memory.set(subject, text);
    try {
      this.store?.setItem(PREFIX + subject, text);
    } catch {
      // Kept in memory; nothing of what was typed is lost while the page stands.
    }
  }

  clear(subject: string): void {
    this.#memory.delete(subject);
    try {
      this.store?.removeItem(PREFIX + subject);
    } catch {
      // Nothing was stored where nothing can be removed.
    }
  }
}
