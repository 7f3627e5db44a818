/** What has just come, or just moved, takes no tap for so long: the tap was meant for what stood there before. */
export const SETTLES_MS = 600;

/** Whether a click was made with a finger or a mouse, and not with a key, which knows no place. */
const isPointed = (event: MouseEvent): boolean => event.detail > 0;

/** Whether a click only leads to another page of this one: it decides nothing, so it is never kept back. */
const onlyLeads = (event: MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest('a[href^="#"]') !== null;

/**
 * Where the cards of a list stand, and when each was last moved: by one before it that folded, left or came, or
 * by the list's end coming up.
 */
export class Movements {
  readonly #tops = new WeakMap<Element, number>();
  readonly #movedAt = new WeakMap<Element, number>();
  #height = 0;

  /** Watches the children of a list, and keeps taps from those that have just moved. */
  watch(list: HTMLElement): () => void {
    const look = (): void => this.#look(list);
    const sizes = new ResizeObserver(look);
    const order = new MutationObserver(look);
    const guard = (event: MouseEvent): void => this.#guard(list, event);
    sizes.observe(list);
    order.observe(list, { childList: true });
    list.addEventListener('click', guard, { capture: true });
    return () => {
      sizes.disconnect();
      order.disconnect();
      list.removeEventListener('click', guard, { capture: true });
    };
  }

  #look(list: HTMLElement): void {
    const now = performance.now();
    const endCameUp = list.offsetHeight < this.#height && standsAtEnd(list.parentElement);
    this.#height = list.offsetHeight;
    for (const card of list.children) {
      if (!(card instanceof HTMLElement)) continue;
      const before = this.#tops.get(card);
      if (endCameUp || before !== card.offsetTop) this.#movedAt.set(card, now);
      this.#tops.set(card, card.offsetTop);
    }
  }

  #guard(list: HTMLElement, event: MouseEvent): void {
    if (!isPointed(event) || onlyLeads(event) || !(event.target instanceof Element)) return;
    let card: Element | null = event.target;
    while (card !== null && card.parentElement !== list) card = card.parentElement;
    if (card !== null && performance.now() - (this.#movedAt.get(card) ?? 0) < SETTLES_MS) {
      event.stopPropagation();
      event.preventDefault();
    }
  }
}

/** Whether a scroller stands at its end: what lies above then moves when the content shrinks. */
function standsAtEnd(scroller: HTMLElement | null): boolean {
  if (scroller === null || scroller.scrollTop === 0) return false;
  return scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
}

/** Keeps the taps of a finger from a card for a moment after it has come. */
export function settles(card: HTMLElement): () => void {
  const cameAt = performance.now();
  const guard = (event: MouseEvent): void => {
    const byFinger = event instanceof PointerEvent && event.pointerType === 'touch';
    if (!byFinger || onlyLeads(event) || performance.now() - cameAt >= SETTLES_MS) return;
    event.stopPropagation();
    event.preventDefault();
  };
  card.addEventListener('click', guard, { capture: true });
  return () => card.removeEventListener('click', guard, { capture: true });
}
