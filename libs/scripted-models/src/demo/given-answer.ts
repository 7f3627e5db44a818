import { newToolResults, personTexts, type ModelCall } from '../model-call.js';

/** What a person answered, as far as a scripted agent has to understand it. */
export interface GivenAnswer {
  /** Labels that the answer names, in the order offered. */
  labels: readonly string[];
  /** What the person typed. */
  words: string | undefined;
}

const IN_A_MESSAGE = /The person answered: (.+)/;
const IN_A_RESULT = /"="([^"]*)"/;
const NOTE = /notes: (.+?)\. Read the answers carefully/s;

/**
 * Finds the answer in the tool's result, or in the message that brings it to an agent that was interrupted.
 * No labels and no words: the person skipped, or nobody answered.
 */
export function givenAnswer(call: ModelCall, offered: readonly string[]): GivenAnswer {
  const told = toldTo(call);
  const value = IN_A_RESULT.exec(told)?.[1] ?? IN_A_MESSAGE.exec(told)?.[1];
  if (value === undefined) return { labels: [], words: undefined };
  const labels = offered.filter((label) => value.includes(label));
  const typed = NOTE.exec(told)?.[1] ?? (labels.length === 0 ? value : undefined);
  return { labels, words: typed };
}

function toldTo(call: ModelCall): string {
  const results = newToolResults(call).map((result) => result.text);
  return results.length > 0 ? results.join('\n') : (personTexts(call).at(-1) ?? '');
}

/** A label without the mark of a recommendation. */
export const bare = (label: string): string => label.replace(/\s*\(Recommended\)$/, '');

/** Words for a list: `a, b and c`. */
export function listed(values: readonly string[]): string {
  if (values.length <= 1) return values.join('');
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1) ?? ''}`;
}
