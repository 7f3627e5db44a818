import {
  newToolResults,
  say,
  text,
  thinking,
  tool,
  hold,
  type ModelCall,
  type Scenario,
  type Step,
} from '#scripted-models';

/** What the model was told, said back, so that a page shows that the agent has it. */
const sayBack = (call: ModelCall): Step =>
  say(
    text(
      `I was told: ${newToolResults(call)
        .map((result) => result.text)
        .join(' | ')}`,
    ),
  );

const option = (label: string, description: string): { label: string; description: string } => ({
  label,
  description,
});

export const DATABASE = {
  question: 'Which database should the new service use?',
  header: 'Database',
  multiSelect: false,
  options: [
    option('PostgreSQL (Recommended)', 'What the other services use'),
    option('SQLite', 'No server to run'),
    option('Keep the current one', 'Nothing changes'),
  ],
};
export const CHECKS = {
  question: 'Which checks should run before a release?',
  header: 'Checks',
  multiSelect: true,
  options: [
    option('Unit tests', 'Seconds'),
    option('Browser tests', 'Minutes'),
    option('Load test', 'An hour'),
  ],
};
const COLOUR = {
  question: 'Which colour should the button have?',
  header: 'Colour',
  multiSelect: false,
  options: [option('Teal', 'As the logo'), option('Grey', 'Quiet')],
};
const NAME = {
  question: 'What should the module be called?',
  header: 'Name',
  multiSelect: false,
  options: [option('billing', 'As the folder'), option('invoices', 'As people say')],
};
const LICENCE = {
  question: 'Which licence?',
  header: 'Licence',
  multiSelect: false,
  options: [option('MIT', 'Short'), option('Apache-2.0', 'With patents')],
};

const ask = (...questions: readonly object[]): Step => say(tool('AskUserQuestion', { questions }));

/** One turn for each thing that the page is tried with; a message names the one that it wants. */
export const MAIN_JOB: Scenario = {
  name: 'main job',
  turns: [
    {
      on: 'write me a poem',
      steps: [
        say(
          thinking('A short one will do.'),
          text('## A poem\n\nThe coxswain calls, '),
          hold('poem'),
          text('the rowers pull.\n\n- one\n- two\n'),
          tool('Bash', { command: 'echo the oar is wet', description: 'Feel the oar' }),
        ),
        say(text('The poem is done.')),
      ],
    },
    {
      on: 'be cut short',
      steps: [say(text('The coxswain calls, '), hold('cut short'), text('the rowers pull.'))],
    },
    { on: 'one tap', steps: [ask(DATABASE), sayBack] },
    { on: 'several answers', steps: [ask(CHECKS), sayBack] },
    { on: 'three in a row', steps: [ask(COLOUR, NAME, LICENCE), sayBack] },
    { on: 'keep waiting', steps: [ask(DATABASE), sayBack] },
  ],
  otherwise: (call) => say(text(`I go on with: ${lastPersonText(call)}`)),
};

function lastPersonText(call: ModelCall): string {
  const last = call.messages.filter((message) => message.role === 'user').at(-1);
  const pieces = last?.pieces ?? [];
  return pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join(' ');
}
