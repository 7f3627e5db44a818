import { LIMITS, cutText, makeVisible, type CardNote, type Question } from '#contracts';

/** A question as a client handed it over, before anything is cut or left out. */
export interface RawQuestion {
  question: string;
  header?: string | undefined;
  options: readonly RawOption[];
  allowsSeveral: boolean;
  /** Names of fields that the adapter does not know. */
  unknownFields?: readonly string[];
}

export interface RawOption {
  label: string;
  description?: string | undefined;
  preview?: string | undefined;
}

export interface ShownQuestion {
  question: Question;
  /** For each option shown, its label to the letter, as the client expects it back. */
  labels: readonly string[];
}

/** C4: free text is always possible, so an agent's own "Other" is not shown a second time. */
const OTHER = /^\s*(other|something else)\s*(\.\.\.|…|:)?\s*(\([^)]*\))?\s*$/i;
const RECOMMENDED = /\(\s*recommended\s*\)/i;

/** A field's text made valid; each cut is put into the notes. */
class Fitting {
  readonly notes: CardNote[] = [];

  text(field: string, value: string, limit: number): string {
    const visible = makeVisible(value);
    if (visible.length <= limit) return visible;
    this.note('text-cut', { field, kept: limit, dropped: visible.length - limit });
    return cutText(visible, limit);
  }

  optional(field: string, value: string | undefined, limit: number): string | undefined {
    return value === undefined || value === '' ? undefined : this.text(field, value, limit);
  }

  note(code: CardNote['code'], params: Record<string, string | number>): void {
    const texts = Object.entries(params).map(([name, value]) => [name, String(value)]);
    this.notes.push({ code, params: Object.fromEntries(texts) as CardNote['params'] });
  }
}

/**
 * Makes a card's question from what a client handed over: what can't be stored is made visible, what is
 * over a limit is cut and noted, nothing is dropped without a word (P10, C4, C14).
 */
export function shownQuestion(raw: RawQuestion): ShownQuestion {
  const fit = new Fitting();
  const offered = raw.options.filter((option) => !OTHER.test(option.label));
  const removed = raw.options.length - offered.length;
  if (removed > 0) fit.note('other-removed', { removed });
  const kept = offered.slice(0, LIMITS.options);
  if (kept.length < offered.length) {
    fit.note('options-dropped', { kept: kept.length, dropped: offered.length - kept.length });
  }
  if (raw.unknownFields !== undefined && raw.unknownFields.length > 0) {
    fit.note('unknown-fields', { fields: cutText(makeVisible(raw.unknownFields.join(', ')), 400) });
  }
  const options = kept.map((option) => shownOption(fit, option));
  const header = fit.optional('header', raw.header, LIMITS.header);
  const recommended = kept.findIndex((option) => RECOMMENDED.test(option.label));
  const question: Question = {
    kind: 'question',
    ...(header !== undefined && { header }),
    question: fit.text('question', raw.question, LIMITS.questionText),
    options,
    allowsSeveral: raw.allowsSeveral && options.length > 0,
    offersSelectSeveral: false,
    ...(recommended >= 0 && { recommended }),
    notes: fit.notes,
  };
  return { question, labels: kept.map((option) => option.label) };
}

function shownOption(fit: Fitting, option: RawOption): Question['options'][number] {
  const description = fit.optional('description', option.description, LIMITS.optionDescription);
  const preview = fit.optional('preview', option.preview, LIMITS.optionPreview);
  return {
    label: fit.text('label', option.label, LIMITS.optionLabel),
    ...(description !== undefined && { description }),
    ...(preview !== undefined && { preview }),
  };
}

/** A call that could not be read as questions: shown as it came, so that the person can still answer (P). */
export function unreadableQuestion(input: unknown): ShownQuestion {
  const json = JSON.stringify(input, null, 2) ?? String(input);
  const shown = shownQuestion({ question: json, options: [], allowsSeveral: false });
  shown.question.notes.push({ code: 'unreadable-shown-as-text', params: {} });
  return shown;
}
