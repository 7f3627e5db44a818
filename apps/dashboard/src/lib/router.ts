import { ConversationId } from '#contracts';

export const SETTINGS_SECTIONS = ['devices', 'providers', 'appearance', 'about'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** Where the page is. The address is the fragment: the hub serves one file, and secrets never reach it. */
export type Route =
  | { readonly name: 'inbox' }
  | { readonly name: 'board' }
  | { readonly name: 'new' }
  | { readonly name: 'more' }
  | { readonly name: 'conversation'; readonly id: ConversationId }
  | { readonly name: 'settings'; readonly section: SettingsSection }
  | { readonly name: 'sign-in'; readonly secret: string }
  | { readonly name: 'unknown' };

const PLAIN = new Set(['inbox', 'board', 'new', 'more'] as const);
type Plain = typeof PLAIN extends Set<infer P> ? P : never;

const isPlain = (word: string): word is Plain => PLAIN.has(word as Plain);
const isSection = (word: string): word is SettingsSection =>
  SETTINGS_SECTIONS.includes(word as SettingsSection);

/** The route of a fragment such as `#/c/0198…`; an empty one is the inbox. */
export function routeOf(hash: string): Route {
  const [head = '', argument = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
  if (head === '') return { name: 'inbox' };
  if (rest.length > 0) return { name: 'unknown' };
  if (isPlain(head)) return argument === '' ? { name: head } : { name: 'unknown' };
  return routeWithArgument(head, argument);
}

function routeWithArgument(head: string, argument: string): Route {
  if (head === 'sign-in' && argument !== '') return { name: 'sign-in', secret: argument };
  if (head === 'settings') {
    if (argument === '') return { name: 'settings', section: 'devices' };
    return isSection(argument) ? { name: 'settings', section: argument } : { name: 'unknown' };
  }
  const id = head === 'c' ? ConversationId.safeParse(argument) : undefined;
  return id?.success ? { name: 'conversation', id: id.data } : { name: 'unknown' };
}

/** The fragment of a route, for links. */
export function hashOf(route: Exclude<Route, { name: 'unknown' }>): string {
  switch (route.name) {
    case 'inbox':
    case 'board':
    case 'new':
    case 'more':
      return `#/${route.name}`;
    case 'conversation':
      return `#/c/${route.id}`;
    case 'settings':
      return `#/settings/${route.section}`;
    case 'sign-in':
      return `#/sign-in/${route.secret}`;
  }
}
