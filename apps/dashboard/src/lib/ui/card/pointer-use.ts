/** A hand that was still for so long has finished, or would see what moves before it taps. */
const STILL_MS = 1_500;

/** Whether somebody points into a place: a finger lies on it, or a mouse, a finger or a wheel moved just now. */
export class PointerUse {
  readonly #down = new Set<number>();
  #lastAt = -STILL_MS;

  get goesOn(): boolean {
    return this.#down.size > 0 || performance.now() - this.#lastAt < STILL_MS;
  }

  /** Listens to what is done in a node. */
  watch(node: HTMLElement): () => void {
    const stop = new AbortController();
    const on = (name: keyof HTMLElementEventMap, did: (event: Event) => void): void =>
      node.addEventListener(name, did, { passive: true, capture: true, signal: stop.signal });
    const used = (): void => void (this.#lastAt = performance.now());
    on('pointerdown', (event) => {
      used();
      if (event instanceof PointerEvent && event.pointerType !== 'mouse') {
        this.#down.add(event.pointerId);
      }
    });
    for (const name of ['pointermove', 'wheel', 'scroll'] as const) on(name, used);
    // A finger may be lifted anywhere; one that scrolls is cancelled, and the scroll says the rest.
    const lifted = (event: PointerEvent): void => {
      if (this.#down.delete(event.pointerId)) used();
    };
    for (const name of ['pointerup', 'pointercancel'] as const) {
      window.addEventListener(name, lifted, { capture: true, signal: stop.signal });
    }
    return () => stop.abort();
  }
}
