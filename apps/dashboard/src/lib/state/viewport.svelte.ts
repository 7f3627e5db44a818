import { MediaQuery } from 'svelte/reactivity';

/** A screen with room for the rail. */
const rail = new MediaQuery('min-width: 760px');
/** A screen with room for a list beside a conversation. */
const columns = new MediaQuery('min-width: 1080px');

export const viewport = {
  get hasRail(): boolean {
    return rail.current;
  },
  get hasColumns(): boolean {
    return columns.current;
  },
};
