import type { FaultReport } from './run-faults.js';

const MOST_SHOWN = 40;

/** A run in words, for a terminal. */
export function reportLines({
  seed,
  seconds,
  lives,
  faults,
  tally,
  violations,
  kept,
}: FaultReport): string[] {
  const all = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const counted = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return [
    '',
    `seed ${seed}, ${seconds} s`,
    `faults survived: ${all} (${counted(faults)})`,
    `lives: ${lives} in ${tally.conversations} conversations; ${tally.requests} requests with ${tally.cardLives} cards (${counted(tally.outcomes)})`,
    `answers: ${tally.answersTaken} taken by clients, of which ${tally.markedRepeats} marked as possible repeats`,
    `decisions: ${tally.attempts} sent by devices, ${tally.races} races`,
    `messages: ${tally.messages}; events: ${tally.events}`,
    `violations: ${violations.length}`,
    ...violations
      .slice(0, MOST_SHOWN)
      .map(({ check, conversation, what }) => `  ${check}: ${what} (${conversation ?? 'the run'})`),
    ...(kept === undefined ? [] : [`everything of this run is in ${kept}`]),
  ];
}
