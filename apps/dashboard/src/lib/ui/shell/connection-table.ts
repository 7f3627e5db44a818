import CircleDot from '@lucide/svelte/icons/circle-dot';
import CloudAlert from '@lucide/svelte/icons/cloud-alert';
import DatabaseZap from '@lucide/svelte/icons/database-zap';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import WifiOff from '@lucide/svelte/icons/wifi-off';
import { type ConnectionPhase } from '../../state/connection.svelte.js';
import { type Icon } from '../icon.js';

/** How each state of the line looks; the word stands in the translations. */
export const CONNECTION_LOOKS: {
  readonly [P in ConnectionPhase]: { readonly icon: Icon; readonly colour: string };
} = {
  connecting: { icon: LoaderCircle, colour: 'idle' },
  live: { icon: CircleDot, colour: 'done' },
  reconnecting: { icon: LoaderCircle, colour: 'waiting' },
  stale: { icon: CloudAlert, colour: 'stuck' },
  'no-database': { icon: DatabaseZap, colour: 'stuck' },
  offline: { icon: WifiOff, colour: 'failed' },
};
