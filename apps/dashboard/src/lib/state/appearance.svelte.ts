export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Also read by first-paint.js, before anything is drawn. */
const CHOSEN = 'coxswain.theme';
const FOLDED = 'coxswain.list-folded';
const DEMO_FOLDED = 'coxswain.demo-note-folded';

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Holds until the page is closed.
  }
}

/** How the page looks on this device. */
class Appearance {
  #theme = $state<Theme>(THEMES.find((theme) => theme === stored(CHOSEN)) ?? 'system');
  #listFolded = $state(stored(FOLDED) === 'yes');
  #demoNoteFolded = $state(stored(DEMO_FOLDED) === 'yes');

  get theme(): Theme {
    return this.#theme;
  }
  set theme(next: Theme) {
    this.#theme = next;
    keep(CHOSEN, next);
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
  }

  /** Whether the list beside a conversation is folded away. */
  get listFolded(): boolean {
    return this.#listFolded;
  }
  set listFolded(folded: boolean) {
    this.#listFolded = folded;
    keep(FOLDED, folded ? 'yes' : 'no');
  }

  /** Whether the note that this is a demo was read and put away. */
  get demoNoteFolded(): boolean {
    return this.#demoNoteFolded;
  }
  set demoNoteFolded(folded: boolean) {
    this.#demoNoteFolded = folded;
    keep(DEMO_FOLDED, folded ? 'yes' : 'no');
  }
}

export const appearance = new Appearance();
