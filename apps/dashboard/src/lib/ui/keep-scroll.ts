/** How far each list was scrolled when it was left. */
const places = new Map<string, number>();

/** Brings a list back to where it was left (every list keeps its place on return). */
export function keepScroll(name: string): (node: HTMLElement) => () => void {
  return (node) => {
    const before = places.get(name);
    if (before !== undefined) requestAnimationFrame(() => (node.scrollTop = before));
    const note = (): void => void places.set(name, node.scrollTop);
    node.addEventListener('scroll', note, { passive: true });
    return () => node.removeEventListener('scroll', note);
  };
}
