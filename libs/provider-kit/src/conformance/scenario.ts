import {
  breakStream,
  hold,
  say,
  text,
  thinking,
  type ApiFailure,
  type Scenario,
} from '#scripted-models';
import type { ConformanceSubject, SuiteQuestion } from './subject.js';

const option = (label: string, preview?: string) => ({
  label,
  description: `About ${label}`,
  ...(preview !== undefined && { preview }),
});

export const ONE: SuiteQuestion = {
  question: 'Which database should the service use?',
  header: 'Database',
  several: false,
  options: [option('PostgreSQL (Recommended)', '```sql\nselect 1;\n```'), option('SQLite')],
};
export const SEVERAL: SuiteQuestion = {
  question: 'Which checks should run?',
  header: 'Checks',
  several: true,
  options: [option('Lint'), option('Types'), option('Unit tests')],
};
export const THIRD: SuiteQuestion = {
  question: 'Where should it run?',
  header: 'Place',
  several: false,
  options: [option('Here'), option('There')],
};

const failing = (status: number, type: string, more: Partial<ApiFailure> = {}): ApiFailure => ({
  status,
  type,
  message: `scripted ${status}`,
  ...more,
});
const END = say(text('Understood.'));

/** Everything that the suite's conversations do, found by what the person says. */
export function suiteScenario(subject: ConformanceSubject): Scenario {
  const { ask, work, nonsense } = subject;
  return {
    name: 'conformance',
    turns: [
      {
        on: 'tell me',
        steps: [say(thinking('A short greeting will do.'), text('Good morning.\n\n- one\n- two'))],
      },
      {
        on: 'stream it',
        steps: [say(text('First half, '), hold('mid-text'), text('second half.'))],
      },
      {
        on: 'work on it',
        steps: [say(text('I look.'), work('call-a', 'alpha'), work('call-b', 'beta')), END],
      },
      { on: 'ask one', steps: [say(ask('ask-one', [ONE])), END] },
      { on: 'ask several', steps: [say(ask('ask-several', [SEVERAL])), END] },
      { on: 'ask many', steps: [say(ask('ask-many', [ONE, SEVERAL, THIRD])), END] },
      { on: 'ask twice', steps: [say(ask('ask-left', [ONE]), ask('ask-right', [THIRD])), END] },
      { on: 'ask freely', steps: [say(ask('ask-freely', [ONE])), END] },
      { on: 'ask and type', steps: [say(ask('ask-type', [SEVERAL])), END] },
      { on: 'ask and skip', steps: [say(ask('ask-skip', [ONE])), END] },
      { on: 'ask nobody', steps: [say(ask('ask-nobody', [ONE])), END] },
      { on: 'ask in part', steps: [say(ask('ask-part', [ONE, THIRD])), END] },
      { on: 'ask nonsense', steps: [say(nonsense('ask-nonsense')), END] },
      { on: 'ask, then stop', steps: [say(ask('ask-stop', [ONE])), END] },
      { on: 'ask, then die', steps: [say(ask('ask-die', [ONE])), END] },
      { on: 'ask, then live', steps: [say(ask('ask-live', [ONE])), END] },
      { on: 'go on after all', steps: [say(text('I go on with what you said.'))] },
      { on: 'remember this', steps: [END] },
      {
        on: 'busy once',
        steps: [{ parts: [text('Through.')], failures: [failing(529, 'overloaded_error')] }],
      },
      {
        on: 'no entry',
        steps: [
          { parts: [], failures: [failing(401, 'authentication_error', { times: Infinity })] },
        ],
      },
      {
        on: 'too fast',
        steps: [{ parts: [], failures: [failing(429, 'rate_limit_error', { times: Infinity })] }],
      },
      {
        on: 'it breaks',
        steps: [{ parts: [], failures: [failing(500, 'api_error', { times: Infinity })] }],
      },
      { on: 'wire cut', steps: [say(breakStream)] },
      {
        on: 'strange things',
        steps: [
          say(
            { kind: 'event', event: { type: 'mystery_event', nothing: { known: true } } },
            text('Still here.'),
          ),
        ],
      },
    ],
  };
}
