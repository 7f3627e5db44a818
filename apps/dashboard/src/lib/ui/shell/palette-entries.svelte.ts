import { type Conversation, type ProviderDescriptor } from '#contracts';
import { t } from '../../i18n/translate.svelte.js';
import { type Route } from '../../router.js';
import { appearance, THEMES, type Theme } from '../../state/appearance.svelte.js';
import { byRecency } from '../../state/board-places.js';
import { board } from '../../state/board.svelte.js';
import { place } from '../../state/place.svelte.js';
import { relays } from '../../state/relays.svelte.js';

/** One thing to go to or to do. */
export interface PaletteEntry {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
  readonly row?: Conversation;
  readonly descriptor?: ProviderDescriptor | undefined;
}

const SHOWN = 30;
const THEME_LABELS = {
  system: 'settings.themeSystem',
  light: 'settings.themeLight',
  dark: 'settings.themeDark',
} as const satisfies { [T in Theme]: string };

const fits = (text: string, words: string): boolean =>
  text.toLowerCase().includes(words.trim().toLowerCase());

/** What was put away comes after all that was not, and only for who looks for it. */
const byPlace = (a: Conversation, b: Conversation): number =>
  Number(a.archivedAt !== undefined) - Number(b.archivedAt !== undefined) || byRecency(a, b);

/** Conversations whose title or folder has the words, the newest first. */
export function paletteRows(words: string): readonly PaletteEntry[] {
  return board.all
    .filter((row) => row.archivedAt === undefined || words.trim() !== '')
    .filter((row) => fits(row.title, words) || fits(row.folder, words))
    .sort(byPlace)
    .slice(0, SHOWN)
    .map((row) => ({
      key: row.id,
      label: row.title,
      row,
      descriptor: relays.descriptor(row.provider, row.relayId),
      run: () => place.go({ name: 'conversation', id: row.id }),
    }));
}

/** Actions whose name has the words. */
export function paletteActions(words: string, showKeys: () => void): readonly PaletteEntry[] {
  const to = (key: string, label: string, route: Exclude<Route, { name: 'unknown' }>) => ({
    key,
    label,
    run: () => place.go(route),
  });
  const all: PaletteEntry[] = [
    to('new', t('nav.new'), { name: 'new' }),
    to('inbox', t('nav.inbox'), { name: 'inbox' }),
    to('board', t('nav.board'), { name: 'board' }),
    to('devices', t('settings.devices'), { name: 'settings', section: 'devices' }),
    to('providers', t('settings.providers'), { name: 'settings', section: 'providers' }),
    ...THEMES.map((theme) => ({
      key: `theme-${theme}`,
      label: t('palette.themeTo', { theme: t(THEME_LABELS[theme]) }),
      run: () => {
        appearance.theme = theme;
      },
    })),
    { key: 'keys', label: t('keys.title'), run: showKeys },
  ];
  return all.filter((action) => fits(action.label, words));
}
