// What a person at the terminal sees while something takes its time: one line that is kept up to date on a terminal,
// plain lines elsewhere (CI, a log). Steps that take less than a second say nothing.
const out = process.stdout;
const QUIET_MS = 1_000;
const PLAIN_EVERY_MS = 15_000;

const seconds = (since) => `${Math.round((performance.now() - since) / 1000)} s`;

/** @returns {{ paint(text: string): void, end(text: string): void }} */
const liveLine = () => {
  const width = () => Math.max(20, (out.columns ?? 80) - 1);
  return {
    paint: (text) => out.write(`\r\u001b[K${text.slice(0, width())}`),
    end: (text) => out.write(`\r\u001b[K${text}\n`),
  };
};

const plainLines = () => {
  let painted = -Infinity;
  return {
    paint(text) {
      if (performance.now() - painted < PLAIN_EVERY_MS) return;
      painted = performance.now();
      out.write(`${text}\n`);
    },
    end: (text) => out.write(`${text}\n`),
  };
};

/**
 * Runs a step and shows that it does.
 * @template T
 * @param {string} name such as `Installing packages`
 * @param {(say: (detail: string) => void) => Promise<T>} work `say` tells how far it is, such as `40 %`
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const since = performance.now();
  const line = out.isTTY ? liveLine() : plainLines();
  let detail = '';
  let shown = false;
  const ticking = setInterval(() => {
    shown = true;
    line.paint(`… ${name}${detail === '' ? '' : `: ${detail}`} (${seconds(since)})`);
  }, QUIET_MS);
  try {
    const result = await work((text) => {
      detail = text;
    });
    if (shown) line.end(`✓ ${name} (${seconds(since)})`);
    return result;
  } catch (error) {
    line.end(`✗ ${name} (${seconds(since)})`);
    throw error;
  } finally {
    clearInterval(ticking);
  }
};

/** Ends the program because of something that a person can mend: the words, and no stack of calls. */
export class PlainError extends Error {}

/** Runs a program of ours; what goes wrong is told in plain words. */
export const main = async (program) => {
  try {
    await program();
  } catch (error) {
    console.error(error instanceof PlainError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
};
