import { type ConversationState } from '#contracts';
import Activity from '@lucide/svelte/icons/activity';
import Check from '@lucide/svelte/icons/check';
import CircleDashed from '@lucide/svelte/icons/circle-dashed';
import CircleX from '@lucide/svelte/icons/circle-x';
import Hand from '@lucide/svelte/icons/hand';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import Moon from '@lucide/svelte/icons/moon';
import Reply from '@lucide/svelte/icons/reply';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Unplug from '@lucide/svelte/icons/unplug';
import Users from '@lucide/svelte/icons/users';
import { type Icon } from './icon.js';

export type ShownState = ConversationState | 'relay-away';

interface Look {
  readonly icon: Icon;
  /** The name of a colour in tokens.css. */
  readonly colour: string;
  /** Filled with the colour's soft shade, or an outline only. */
  readonly outline: boolean;
}

/** One colour, one icon and (in the translations) one word for each state, everywhere. */
export const STATE_LOOKS: { readonly [S in ShownState]: Look } = {
  starting: { icon: LoaderCircle, colour: 'running', outline: true },
  running: { icon: Activity, colour: 'running', outline: false },
  'waiting-on-you': { icon: Hand, colour: 'waiting', outline: false },
  'waiting-on-agent': { icon: Users, colour: 'agent', outline: false },
  'waiting-for-reply': { icon: Reply, colour: 'waiting', outline: true },
  idle: { icon: CircleDashed, colour: 'idle', outline: false },
  done: { icon: Check, colour: 'done', outline: false },
  stuck: { icon: TriangleAlert, colour: 'stuck', outline: false },
  failed: { icon: CircleX, colour: 'failed', outline: false },
  asleep: { icon: Moon, colour: 'idle', outline: true },
  'relay-away': { icon: Unplug, colour: 'idle', outline: true },
};
