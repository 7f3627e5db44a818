import type Check from '@lucide/svelte/icons/check';

/** An icon of the one set that is used, as a component. */
export type Icon = typeof Check;
