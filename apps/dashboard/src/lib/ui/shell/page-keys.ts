import { place } from '../../state/place.svelte.js';
import { isElsewhere } from '../card/card-keys.js';

const SEARCH = 'input[type="search"]';

/** Brings the search of the board into focus; where no board is shown, it is gone to first. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>(SEARCH);
  if (field !== null) {
    field.focus();
    return;
  }
  place.go({ name: 'board' });
  const appears = new MutationObserver(() => {
    const shown = document.querySelector<HTMLInputElement>(SEARCH);
    if (shown === null) return;
    appears.disconnect();
    shown.focus();
  });
  appears.observe(document.body, { childList: true, subtree: true });
}

export interface PageKeys {
  readonly palette: () => void;
  readonly help: () => void;
}

/** The keys that work on every page; none takes a letter from a field that is typed in. */
export function usePageKey(event: KeyboardEvent, does: PageKeys): void {
  const withCommand = event.ctrlKey || event.metaKey;
  if (withCommand && event.key.toLowerCase() === 'k') does.palette();
  else if (isElsewhere(event)) return;
  else if (event.key === '?') does.help();
  else if (event.key === '/') search();
  else return;
  event.preventDefault();
}
