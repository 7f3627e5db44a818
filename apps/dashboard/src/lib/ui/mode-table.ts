import { type RelayMode } from '#contracts';
import Compass from '@lucide/svelte/icons/compass';
import Map from '@lucide/svelte/icons/map';
import ShieldQuestionMark from '@lucide/svelte/icons/shield-question-mark';
import { type Icon } from './icon.js';

interface Look {
  readonly icon: Icon;
  /** The sentence that says what the agent may do. */
  readonly means: 'modes.autopilotMeans' | 'modes.askMeans' | 'modes.planMeans';
}

/** Each mode has an icon, a word and a sentence. */
export const MODE_LOOKS: { readonly [M in RelayMode]: Look } = {
  autopilot: { icon: Compass, means: 'modes.autopilotMeans' },
  ask: { icon: ShieldQuestionMark, means: 'modes.askMeans' },
  plan: { icon: Map, means: 'modes.planMeans' },
};
