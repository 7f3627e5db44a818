import { roughly } from './plain-words.js';

/** What the person at the terminal sees. */
export interface Terminal {
  /** A step that may take a while, shown as such once it does. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** A line that stays. */
  say(text: string): void;
  /** A one-time link that signs a device in, good for `expiresIn` milliseconds: for the eyes of the person only. */
  signInLink(link: { readonly url: string; readonly expiresIn: number }): void;
}

/** A step that takes less says nothing, in milliseconds. */
const QUIET_MS = 1_000;
/** How often a step that goes on says so. */
const SAY_AGAIN_MS = 10_000;

/** Plain lines, alike on a terminal and in a log. */
export function plainTerminal(out: NodeJS.WritableStream): Terminal {
  const say = (text: string): void => void out.write(`${text}\n`);
  return {
    say,
    signInLink: ({ url, expiresIn }) =>
      say(`Sign in with this link (it works once, for ${roughly(expiresIn)}):\n\n  ${url}\n`),
    async step(name, work) {
      const since = performance.now();
      const first = setTimeout(() => say(`${name} …`), QUIET_MS);
      const again = setInterval(
        () => say(`${name} … (${roughly(performance.now() - since)})`),
        SAY_AGAIN_MS,
      );
      try {
        return await work();
      } finally {
        clearTimeout(first);
        clearInterval(again);
      }
    },
  };
}
