import { z } from 'zod';
import type { Question, ToolCallId } from '#contracts';
import {
  shownQuestion,
  unreadableQuestion,
  type RawQuestion,
  type ShownQuestion,
} from '#provider-kit';

/** The client's own question tool. It is offered to the model only because `canUseTool` is given. */
export const QUESTION_TOOL = 'AskUserQuestion';

const Text = z.string().catch('');
const OptionalText = z.string().optional().catch(undefined);

/** Leniently: a missing text is empty, an unknown field is noted. The client has checked the rest. */
const RawOption = z.object({ label: z.string(), description: OptionalText, preview: OptionalText });
const AskedQuestion = z.looseObject({
  question: z.string(),
  header: OptionalText,
  options: z.array(RawOption).catch([]),
  multiSelect: z.boolean().catch(false),
});
const AskedQuestions = z.looseObject({ questions: z.array(AskedQuestion).min(1) });
const KNOWN_FIELDS = new Set(['question', 'header', 'options', 'multiSelect']);

/** A call of the question tool that waits, with what is needed to answer it to the letter. */
export interface Asked {
  readonly toolCallId: ToolCallId;
  /** The call's arguments as they came; they go back with the answers in them. */
  readonly input: Record<string, unknown>;
  readonly questions: readonly AskedQuestionState[];
}

export interface AskedQuestionState {
  /** The question's text to the letter: the key of its answer. */
  readonly key: string;
  /** The labels to the letter, by the place of the option that is shown. */
  readonly labels: readonly string[];
  readonly shown: Question;
}

/** Reads a call of the question tool. One that can't be read becomes one question that shows it as text. */
export function readAsked(toolCallId: ToolCallId, input: Record<string, unknown>): Asked {
  const read = AskedQuestions.safeParse(input);
  if (!read.success)
    return { toolCallId, input, questions: [state('', unreadableQuestion(input))] };
  const questions = read.data.questions.map((asked) =>
    state(asked.question, shownQuestion(raw(asked))),
  );
  return { toolCallId, input, questions };
}

const state = (key: string, { question, labels }: ShownQuestion): AskedQuestionState => ({
  key,
  labels,
  shown: question,
});

function raw(asked: z.infer<typeof AskedQuestion>): RawQuestion {
  return {
    question: asked.question,
    header: Text.parse(asked.header),
    options: asked.options,
    allowsSeveral: asked.multiSelect,
    unknownFields: Object.keys(asked).filter((field) => !KNOWN_FIELDS.has(field)),
  };
}
