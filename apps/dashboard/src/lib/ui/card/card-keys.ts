/** What the keyboard can do to the card that it goes to. */
export interface CardKeys {
  /** Picks, or ticks, the choice at a place of the list, from 0. */
  readonly pick: (place: number) => void;
  readonly send: () => void;
}

/** Whether a key belongs to what has the focus: a field, a button, a menu. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !==
    null
  );
}

/** Sends numbers and Enter to a card; true when the key was used. */
export function useCardKey(event: KeyboardEvent, keys: CardKeys | undefined): boolean {
  if (keys === undefined || isElsewhere(event)) return false;
  if (/^[1-9]$/.test(event.key)) {
    keys.pick(Number(event.key) - 1);
    return true;
  }
  if (event.key !== 'Enter' || event.shiftKey) return false;
  // Enter on a button or a link presses that.
  if (event.target instanceof HTMLElement && event.target.closest('button, a, summary'))
    return false;
  keys.send();
  return true;
}
