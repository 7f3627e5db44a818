import { hashOf, routeOf, type Route } from '../router.js';

/** Where the page is; follows the address. */
class Place {
  #route = $state<Route>(this.#read());
  /** The list from which a conversation was opened, to go back to. */
  #list = $state<'inbox' | 'board'>('board');

  constructor() {
    window.addEventListener('hashchange', () => this.#arrive());
    this.#remember();
  }

  get route(): Route {
    return this.#route;
  }

  get list(): 'inbox' | 'board' {
    return this.#list;
  }

  go(to: Exclude<Route, { name: 'unknown' }>): void {
    location.hash = hashOf(to);
  }

  /** Goes on without leaving the present place in the history. */
  replace(to: Exclude<Route, { name: 'unknown' }>): void {
    history.replaceState(null, '', hashOf(to));
    this.#arrive();
  }

  #arrive(): void {
    this.#route = this.#read();
    this.#remember();
  }

  #remember(): void {
    const { name } = this.#route;
    if (name === 'inbox' || name === 'board') this.#list = name;
  }

  /** A secret leaves the address, and with it the history, before anything else happens. */
  #read(): Route {
    const route = routeOf(location.hash);
    if (route.name === 'sign-in') history.replaceState(null, '', '#/sign-in');
    return route;
  }
}

export const place = new Place();
