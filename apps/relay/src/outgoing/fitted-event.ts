import {
  AgentEvent,
  LIMITS,
  cutText,
  makeJsonVisible,
  makeVisible,
  type AgentEventOf,
  type Failure,
  type Json,
} from '#contracts';
import { inParts, oneLine, type TextPart } from '#provider-kit';
import { fitForFrame } from './frame-budget.js';

/** Deeper than this no tool's arguments are shown as they are: parsers on the way would overflow. */
const DEEPEST = 40;

/**
 * An event as the hub takes it, whatever a driver made of it: what can't be stored is made visible, what is too
 * long goes in parts or is cut and marked. The hub then never has a reason to refuse it (link rule 6).
 */
export function fittedEvents(event: AgentEvent): AgentEvent[] {
  return fitted(event).map(readable);
}

function fitted(event: AgentEvent): AgentEvent[] {
  switch (event.kind) {
    case 'text':
    case 'thought':
      return textParts(event.text).map(({ text, part }) => ({
        ...event,
        text,
        ...(part !== undefined && { part: event.part ?? part }),
      }));
    case 'tool-called':
      return [toolCalled(event)];
    case 'tool-returned':
      return toolReturned(event);
    case 'turn-ended':
      return event.failure === undefined
        ? [event]
        : [{ ...event, failure: fittedFailure(event.failure) }];
    case 'notice':
      return [notice(event)];
    case 'turn-started':
      return [event];
  }
}

/** Plain words of a failure within their bounds. */
export function fittedFailure(failure: Failure): Failure {
  const cut = (text: string): string => cutText(makeVisible(text), 4_000);
  return {
    code: cutText(failure.code, 80),
    message: cut(failure.message),
    ...(failure.advice !== undefined && { advice: cut(failure.advice) }),
  };
}

function textParts(text: string): TextPart[] {
  return inParts(text).map((part) => ({ ...part, text: fitForFrame(part.text) }));
}

function toolCalled(event: AgentEventOf<'tool-called'>): AgentEvent {
  const { input, cut } = fittedInput(event.input);
  return {
    ...event,
    tool: cutText(makeVisible(event.tool), 200),
    title: oneLine(event.title),
    input,
    inputCut: event.inputCut || cut,
  };
}

function fittedInput(input: Json): { input: Json; cut: boolean } {
  if (depthOf(input) > DEEPEST) return { input: '(nested too deeply to be shown)', cut: true };
  const json = JSON.stringify(input) ?? 'null';
  if (json.length <= LIMITS.toolInput) return { input: makeJsonVisible(input), cut: false };
  return { input: makeVisible(cutText(json, LIMITS.toolInput)), cut: true };
}

function depthOf(json: Json): number {
  let depth = 0;
  for (let level: Json[] = [json]; level.length > 0 && depth <= DEEPEST; depth += 1) {
    level = level.flatMap((value) =>
      value !== null && typeof value === 'object' ? Object.values(value) : [],
    );
  }
  return depth;
}

function toolReturned(event: AgentEventOf<'tool-returned'>): AgentEvent[] {
  const tooLong = event.output.length > LIMITS.toolOutput;
  const output = tooLong ? cutText(event.output, LIMITS.toolOutput) : event.output;
  return textParts(output).map(({ text, part }) => ({
    ...event,
    output: text,
    outputCut: event.outputCut || tooLong,
    ...(part !== undefined && { part: event.part ?? part }),
  }));
}

function notice(event: AgentEventOf<'notice'>): AgentEvent {
  const params = Object.entries(event.params).slice(0, 20);
  return {
    ...event,
    code: cutText(event.code, 80),
    text: cutText(makeVisible(event.text), 4_000),
    params: Object.fromEntries(
      params.map(([name, value]) => [makeVisible(name), cutText(makeVisible(value), 1_000)]),
    ),
  };
}

/** A last look by the contract itself. What still does not fit becomes a notice; a turn's end stays one. */
function readable(event: AgentEvent): AgentEvent {
  const parsed = AgentEvent.safeParse(event);
  if (parsed.success) return parsed.data;
  if (event.kind === 'turn-ended') {
    return { kind: 'turn-ended', turnId: event.turnId, outcome: event.outcome };
  }
  const problem = parsed.error.issues[0];
  const text = `The agent's client told something that can't be shown: ${problem?.path.join('.') ?? ''} ${problem?.message ?? ''}`;
  return {
    kind: 'notice',
    severity: 'warning',
    code: 'unreadable-event',
    params: { event: String(event.kind) },
    text: cutText(makeVisible(text), 4_000),
  };
}
