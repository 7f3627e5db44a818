import type { ModelCall } from '../model-call.js';
import { say, text, tool, type Step } from '../scenario.js';
import { inFolder, type DemoConversation } from './demo-conversation.js';
import { bare, givenAnswer, listed } from './given-answer.js';

const CHECKS = [
  {
    label: 'All tests pass (Recommended)',
    description: 'The release stops at the first red test.',
    line: 'Run all tests; stop at the first that fails.',
  },
  {
    label: 'Change log is written',
    description: 'Someone has to have put what is new into words.',
    line: 'The change log has a paragraph for this version.',
  },
  {
    label: 'Upgrade tried on a copy of the data',
    description: 'Takes about twenty minutes, finds what tests do not.',
    line: 'Try the upgrade on last night’s copy of the data.',
  },
  {
    label: 'Old version can be put back',
    description: 'A way back that was tried, not only thought of.',
    line: 'Put the old version back once, and time it.',
  },
] as const;

const ask = tool('AskUserQuestion', {
  questions: [
    {
      question: 'What has to be true before a release goes out?',
      header: 'Release',
      multiSelect: true,
      options: CHECKS.map(({ label, description }) => ({ label, description })),
    },
  ],
});

const picked = (call: ModelCall) => {
  const { labels, words } = givenAnswer(
    call,
    CHECKS.map((check) => check.label),
  );
  const checks = CHECKS.filter((check) => labels.includes(check.label));
  return { checks, words };
};

const write = (call: ModelCall): Step => {
  const { checks, words } = picked(call);
  const lines = checks.map((check) => `- [ ] ${check.line}`);
  const nothing = checks.length === 0 && words === undefined;
  const all = nothing ? [`- [ ] ${CHECKS[0].line}`] : lines;
  const own = words === undefined ? [] : [`- [ ] ${words}`];
  const content = ['# Before each release', '', ...all, ...own, ''].join('\n');
  const said = nothing
    ? 'There was no answer, so I begin with the one check that nobody argues about: all tests pass.'
    : `You want ${listed([...checks.map((check) => `*${bare(check.label).toLowerCase()}*`), ...(words === undefined ? [] : [`“${words}”`])])}. I write that down as a list that can be ticked off.`;
  return say(text(said), tool('Write', { file_path: inFolder(call, 'RELEASE.md'), content }));
};

const FIRST =
  'We keep forgetting steps when we release. Write us a RELEASE.md with a short list to tick off, and ask me what belongs on it.';

/** An agent that asks a question with several answers. */
export const releaseList: DemoConversation = {
  title: 'A list for our releases',
  folder: 'release-list',
  files: {
    'README.md': '# Harbour\n\nReleases go out on Thursdays, by hand.\n',
    'CHANGELOG.md': '# Change log\n\n## 2.3.0\n\n- Exports can be cancelled.\n',
  },
  firstMessage: FIRST,
  turns: [
    {
      on: FIRST,
      steps: [
        say(
          text('I see what there is about releases so far.'),
          tool('Bash', {
            command: 'ls; grep -i -n release *.md',
            description: 'Look for what is written about releases',
          }),
        ),
        say(
          text(
            'There is one line about Thursdays and nothing about checks. What belongs on the list is yours to say; tick as many as you like, and add your own.',
          ),
          ask,
        ),
        write,
        say(
          text('That is how it reads now:'),
          tool('Bash', { command: 'cat RELEASE.md', description: 'Show the list' }),
        ),
        say(
          text(
            '`RELEASE.md` is written. Copy the list into the ticket of each release and tick it off there; whoever releases signs with their name.\n\nI left out everything that you did not pick. It is easier to add a line after the next surprise than to get people to tick twenty.',
          ),
        ),
      ],
    },
  ],
};
