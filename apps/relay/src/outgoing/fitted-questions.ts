import {
  LIMITS,
  type Question,
  cutText,
  makeVisible,
  type CardNote,
  type QuestionOption,
} from '#contracts';
import { LooseQuestion } from './loose-question.js';
import { MESSAGE_BYTES, jsonBytes } from './frame-budget.js';

/** Upper bounds of what a card may hold; a bound of 0 leaves the field out. */
interface Bounds {
  readonly question: number;
  readonly options: number;
  readonly label: number;
  readonly description: number;
  readonly preview: number;
}

/**
 * From what the contracts allow to what surely fits a frame, eight questions of it included: what helps least
 * to decide goes first.
 */
const BOUNDS: readonly Bounds[] = [
  {
    question: LIMITS.questionText,
    options: LIMITS.options,
    label: LIMITS.optionLabel,
    description: LIMITS.optionDescription,
    preview: LIMITS.optionPreview,
  },
  { question: 20_000, options: 100, label: 500, description: 1_000, preview: 2_000 },
  { question: 10_000, options: 100, label: 300, description: 400, preview: 0 },
  { question: 6_000, options: 100, label: 100, description: 60, preview: 0 },
  { question: 2_000, options: 50, label: 40, description: 0, preview: 0 },
];

const UNREADABLE: CardNote = { code: 'unreadable-shown-as-text', params: {} };

/**
 * Questions as the hub takes them, whatever a driver made of them: what can't be stored is made visible, what
 * is too long or too many is cut and noted on the card, and none is dropped in silence.
 */
export function fittedQuestions(asked: readonly unknown[]): Question[] {
  const questions = withoutSurplus(asked.map(readable));
  for (const bounds of BOUNDS) {
    const fitted = questions.map((question) => within(question, bounds));
    if (jsonBytes(fitted) <= MESSAGE_BYTES) return fitted;
  }
  return questions.map((question) => within(question, SMALLEST));
}

const SMALLEST: Bounds = { question: 500, options: 20, label: 40, description: 0, preview: 0 };

/** A question whose shape is right, whatever its sizes; anything else as text. */
function readable(asked: unknown): Question {
  const question = LooseQuestion.safeParse(asked);
  if (question.success) return question.data;
  return {
    kind: 'question',
    question: makeVisible(JSON.stringify(asked) ?? String(asked)),
    options: [],
    allowsSeveral: false,
    offersSelectSeveral: false,
    notes: [UNREADABLE],
  };
}

function within(question: Question, bounds: Bounds): Question {
  const notes = [...question.notes];
  const cut = (field: string, text: string, limit: number): string => {
    const visible = makeVisible(text);
    if (visible.length <= limit) return visible;
    notes.push({
      code: 'text-cut',
      params: { field, kept: String(limit), dropped: String(visible.length - limit) },
    });
    return cutText(visible, limit);
  };
  const kept = question.options.slice(0, bounds.options);
  const dropped = question.options.length - kept.length;
  if (dropped > 0) {
    const params = { kept: String(kept.length), dropped: String(dropped) };
    notes.push({ code: 'options-dropped', params });
  }
  const { header, recommended, ...rest } = question;
  const body = {
    ...rest,
    question: cut('question', question.question, bounds.question),
    options: kept.map((option) => optionWithin(option, bounds, cut)),
  };
  return {
    ...body,
    ...(header !== undefined && { header: cut('header', header, LIMITS.header) }),
    ...(recommended !== undefined && recommended < kept.length && { recommended }),
    notes: boundedNotes(notes),
  };
}

function optionWithin(
  option: QuestionOption,
  bounds: Bounds,
  cut: (field: string, text: string, limit: number) => string,
): QuestionOption {
  const { description, preview } = option;
  const fitted: QuestionOption = { label: cut('label', option.label, bounds.label) };
  const described = description && cut('description', description, bounds.description);
  const previewed = preview && cut('preview', preview, bounds.preview);
  if (described) fitted.description = described;
  if (previewed) fitted.preview = previewed;
  return fitted;
}

const MOST_NOTES = 20;

/** A hundred cut options say so once a field, not a hundred times. */
function boundedNotes(notes: readonly CardNote[]): CardNote[] {
  const byWhat = new Map<string, CardNote>();
  for (const note of notes) {
    const key = `${note.code} ${note.params['field'] ?? ''}`;
    if (!byWhat.has(key)) byWhat.set(key, boundedNote(note));
  }
  return [...byWhat.values()].slice(0, MOST_NOTES);
}

function boundedNote(note: CardNote): CardNote {
  const params = Object.entries(note.params).slice(0, MOST_NOTES);
  return {
    code: note.code,
    params: Object.fromEntries(
      params.map(([name, text]) => [
        cutText(makeVisible(name), 60),
        cutText(makeVisible(text), 400),
      ]),
    ),
  };
}

/** More questions than a request can hold go on the last card as text: the person still sees them. */
function withoutSurplus(questions: readonly Question[]): Question[] {
  const [only] = questions;
  if (only === undefined) return [readable('(The agent asked, but no question could be read.)')];
  if (questions.length <= LIMITS.questions) return [...questions];
  const kept = questions.slice(0, LIMITS.questions);
  const surplus = questions
    .slice(LIMITS.questions)
    .map(({ question, options }) =>
      [question, ...options.map(({ label }) => `- ${label}`)].join('\n'),
    );
  const last = kept[LIMITS.questions - 1] ?? only;
  kept[LIMITS.questions - 1] = {
    ...last,
    question: [last.question, ...surplus].join('\n\n'),
    notes: [...last.notes, UNREADABLE],
  };
  return kept;
}
