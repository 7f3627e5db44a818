/** A reader who is this near to the end follows it, in px. */
const NEAR_END = 48;
/** A scroll this soon after a wheel, a finger or a key was the reader's own. */
const OWN_MS = 400;
const SCROLL_KEYS = new Set(['ArrowUp', 'PageUp', 'Home', 'ArrowDown', 'PageDown', 'End', ' ']);

/**
 * Whether the reader follows the end. Only what the reader does can end that: measuring and growing also scroll,
 * and must not.
 */
export class ScrollKeeper {
  #following = true;
  #ownUntil = 0;

  constructor(private readonly changed: (following: boolean) => void) {}

  get following(): boolean {
    return this.#following;
  }

  /** Listens to what the reader does in a node. */
  watch(node: HTMLElement): () => void {
    const own = (): void => void (this.#ownUntil = performance.now() + OWN_MS);
    const key = (event: KeyboardEvent): void => void (SCROLL_KEYS.has(event.key) && own());
    const gestures = ['wheel', 'touchmove', 'pointerdown'] as const;
    for (const gesture of gestures) node.addEventListener(gesture, own, { passive: true });
    node.addEventListener('keydown', key);
    return () => {
      for (const gesture of gestures) node.removeEventListener(gesture, own);
      node.removeEventListener('keydown', key);
    };
  }

  /** Takes a scroll, with what lies below the screen in px. */
  scrolled(below: number): void {
    const now = performance.now();
    if (below <= NEAR_END) this.#set(true);
    else if (now < this.#ownUntil) {
      // A finger that let go leaves the list moving for a while.
      this.#ownUntil = now + OWN_MS;
      this.#set(false);
    }
  }

  follow(): void {
    this.#set(true);
  }

  leave(): void {
    this.#set(false);
  }

  #set(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    this.changed(following);
  }
}
