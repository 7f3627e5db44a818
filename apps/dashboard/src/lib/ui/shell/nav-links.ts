import Inbox from '@lucide/svelte/icons/inbox';
import Rows from '@lucide/svelte/icons/rows-3';
import { type Route } from '../../router.js';

/** The places that rail and bottom bar share. */
export const NAV_LINKS = [
  { name: 'inbox', icon: Inbox, label: 'nav.inbox', route: { name: 'inbox' } },
  { name: 'board', icon: Rows, label: 'nav.board', route: { name: 'board' } },
] as const;

/** Whether a place is the present one, or holds it: a conversation belongs to the board, wherever it was opened. */
export function isHere(route: Route, name: 'inbox' | 'board'): boolean {
  return route.name === name || (route.name === 'conversation' && name === 'board');
}
