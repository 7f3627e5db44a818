import type { WriteStream } from 'node:tty';
import type { SignInLink } from './control-socket.js';
import { roughly } from './plain-words.js';

/** What the person at the terminal sees. */
export interface Terminal {
  /** A step that may take a while, shown as such once it does. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** How far something is that goes on beside, such as `Installing …: 40 MB`; what follows replaces it. */
  progress(text: string, ended?: 'well' | 'badly'): void;
  /** A line that stays. */
  say(text: string): void;
  /** A one-time link that signs a device in, good for `expiresIn` milliseconds: for the eyes of the person only. */
  signInLink(link: SignInLink): void;
}

/** A step that takes less says nothing, in milliseconds. */
const QUIET_MS = 1_000;
/** How often something that goes on says so where lines can't be replaced. */
const SAY_AGAIN_MS = 10_000;
const MARKS = { well: '✓', badly: '✗' } as const;
const CLEAR_LINE = '\r\u001b[K';

/** One line that is kept up to date on a terminal; in a log a line now and then. */
export function plainTerminal(
  out: Pick<WriteStream, 'write' | 'on'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>,
): Terminal {
  // A terminal that was closed takes no more words; that is no reason to end without order.
  out.on('error', () => undefined);
  let painted = false;
  let lastProgress = -Infinity;
  const say = (text: string): void => {
    out.write(`${painted ? CLEAR_LINE : ''}${text}\n`);
    painted = false;
  };
  const progress = (text: string, ended?: 'well' | 'badly'): void => {
    if (ended !== undefined) say(`${MARKS[ended]} ${text}`);
    else if (out.isTTY === true) {
      out.write(`${CLEAR_LINE}… ${text.slice(0, (out.columns ?? 80) - 3)}`);
      painted = true;
    } else if (performance.now() - lastProgress > SAY_AGAIN_MS) {
      lastProgress = performance.now();
      say(`… ${text}`);
    }
  };
  return {
    say,
    progress,
    signInLink: ({ url, publicUrl, expiresIn }) => {
      const here = publicUrl === undefined ? '' : `\n\nor, in a browser on this machine:`;
      const links = [...(publicUrl === undefined ? [] : [publicUrl]), url].join(`${here}\n\n  `);
      say(`Sign in with this link (it works once, for ${roughly(expiresIn)}):\n\n  ${links}\n`);
    },
    async step(name, work) {
      const since = performance.now();
      const again = setInterval(
        () => progress(`${name} (${roughly(performance.now() - since)})`),
        QUIET_MS,
      );
      try {
        return await work();
      } finally {
        clearInterval(again);
        if (painted) say(`✓ ${name} (${roughly(performance.now() - since)})`);
      }
    },
  };
}
