export interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly tone: 'calm' | 'bad';
  /** Something to do about it, for as long as it is shown. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const SHOWN_MS = 7_000;

/** Short words about what just happened: shown for a while, and read out politely. */
class Announcer {
  #shown = $state<readonly Announcement[]>([]);
  #spoken = $state('');
  #count = 0;

  get shown(): readonly Announcement[] {
    return this.#shown;
  }
  /** What a screen reader says when it is done with what it says now. */
  get spoken(): string {
    return this.#spoken;
  }

  /** Shows and says. */
  show(text: string, tone: Announcement['tone'] = 'calm', action?: Announcement['action']): void {
    const id = ++this.#count;
    const others = this.#shown.filter((one) => one.text !== text);
    this.#shown = [...others, { id, text, tone, action }].slice(-3);
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  /** Says without showing, for what is seen anyway. */
  say(text: string): void {
    // The same words twice in a row would not be read again.
    this.#spoken = this.#spoken === text ? `${text}\u00A0` : text;
  }

  dismiss(id: number): void {
    this.#shown = this.#shown.filter((one) => one.id !== id);
  }
}

export const announcer = new Announcer();
