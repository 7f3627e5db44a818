import type { ModelCall } from '../model-call.js';
import { say, text, thinking, tool, type Step } from '../scenario.js';
import { inFolder, type DemoConversation } from './demo-conversation.js';
import { bare, givenAnswer } from './given-answer.js';

interface Choice {
  label: string;
  description: string;
  /** What the agent writes when the person picks it. */
  file: { path: string; content: string };
  did: string;
}

const WRAPPER = (keep: string): string => `import { fetchPrice } from './fetch-price.js';

${keep}
`;

const CHOICES: readonly [Choice, ...Choice[]] = [
  {
    label: 'In memory, for one minute (Recommended)',
    description: 'Nothing to run; each server keeps its own. A price can be up to a minute old.',
    file: {
      path: 'src/price-cache.js',
      content: WRAPPER(`const KEEP_MS = 60_000;
const kept = new Map();

/** A price that is at most a minute old. */
export async function price(article, now = Date.now()) {
  const known = kept.get(article);
  if (known !== undefined && now - known.at < KEEP_MS) return known.price;
  const fresh = await fetchPrice(article);
  kept.set(article, { price: fresh, at: now });
  return fresh;
}`),
    },
    did: 'Each server now keeps a price for a minute in its own memory.',
  },
  {
    label: 'In Redis, shared by all servers',
    description:
      'One truth for all servers and it outlives a restart, but it is one more service to run.',
    file: {
      path: 'src/price-cache.js',
      content: WRAPPER(`const KEEP_SECONDS = 60;

/** A price shared by all servers; \`redis\` is any client with get and set. */
export async function price(article, redis) {
  const known = await redis.get(\`price:\${article}\`);
  if (known !== null) return Number(known);
  const fresh = await fetchPrice(article);
  await redis.set(\`price:\${article}\`, String(fresh), { EX: KEEP_SECONDS });
  return fresh;
}`),
    },
    did: 'All servers now share a price for a minute through Redis. The client is passed in, so nothing else has to change yet.',
  },
  {
    label: 'No cache, fetch in batches',
    description: 'Prices are always current; a page asks for all of its articles in one request.',
    file: {
      path: 'src/price-batch.js',
      content: WRAPPER(`/** The prices of many articles, each asked for once. */
export async function prices(articles) {
  const once = [...new Set(articles)];
  const found = await Promise.all(once.map((article) => fetchPrice(article)));
  return new Map(once.map((article, at) => [article, found[at]]));
}`),
    },
    did: 'A page now asks for each article once, all at the same time, and no price is ever old.',
  },
];

const QUESTION =
  'Where should looked-up prices be kept, so that a product page does not wait for the price service?';

const ask = tool('AskUserQuestion', {
  questions: [
    {
      question: QUESTION,
      header: 'Price cache',
      multiSelect: false,
      options: CHOICES.map(({ label, description }) => ({ label, description })),
    },
  ],
});

const chosen = (call: ModelCall): { choice: Choice; why: string } => {
  const [recommended] = CHOICES;
  const { labels, words } = givenAnswer(
    call,
    CHOICES.map((choice) => choice.label),
  );
  const choice = CHOICES.find((one) => one.label === labels[0]);
  const also = words === undefined ? '' : ` I keep in mind what you wrote: “${words}”.`;
  if (choice !== undefined) return { choice, why: `You chose **${bare(choice.label)}**.${also}` };
  const assumed = `**${bare(recommended.label)}**`;
  if (words !== undefined)
    return {
      choice: recommended,
      why: `You wrote: “${words}”. The closest to that is ${assumed}, so I begin with it.`,
    };
  return {
    choice: recommended,
    why: `There was no answer, so I assume ${assumed}; it is the easiest to take back.`,
  };
};

/** Both ways in which the answer comes: as the tool's result, or as a message after an interruption. */
const goOn = (call: ModelCall): Step => {
  const { choice, why } = chosen(call);
  return say(
    text(`${why} I write it down now.`),
    tool('Write', { file_path: inFolder(call, choice.file.path), content: choice.file.content }),
  );
};

const check = say(
  text('A quick look at whether it loads.'),
  tool('Bash', {
    command: 'for f in src/*.js; do node --check "$f" && echo "$f is fine"; done',
    description: 'Check the syntax of the sources',
  }),
);

/** The choice whose file the agent has written. */
const writtenIn = (call: ModelCall): Choice | undefined => {
  const written = call.messages.flatMap((message) =>
    message.pieces.map((piece) => (piece.kind === 'tool' ? JSON.stringify(piece.input) : '')),
  );
  return CHOICES.find((choice) =>
    written.some((input) => input.includes(JSON.stringify(choice.file.content))),
  );
};

const finish = (call: ModelCall): Step => {
  const did = (writtenIn(call) ?? CHOICES[0]).did;
  return say(
    text(
      `Done. ${did}\n\nThe price service itself is untouched, and \`src/product-page.js\` only has to import the new file. If a price must never be old at the till, keep calling \`fetchPrice\` there: I have left that call alone.`,
    ),
  );
};

const FIRST =
  'Product pages wait up to two seconds for the price service. Make them fast. Ask me if there is something that I should decide.';

/** An agent that needs one decision, with choices. */
export const priceCache: DemoConversation = {
  title: 'Make product pages fast',
  folder: 'shop',
  files: {
    'package.json': '{\n  "name": "shop",\n  "private": true,\n  "type": "module"\n}\n',
    'src/fetch-price.js':
      '/** Asks the price service, which takes its time. */\nexport async function fetchPrice(article) {\n  const answer = await fetch(`http://prices.internal/${encodeURIComponent(article)}`);\n  return (await answer.json()).price;\n}\n',
    'src/product-page.js':
      "import { fetchPrice } from './fetch-price.js';\n\nexport async function productPage(articles) {\n  const rows = [];\n  for (const article of articles) rows.push(`${article}: ${await fetchPrice(article)}`);\n  return rows.join('\\n');\n}\n",
  },
  firstMessage: FIRST,
  turns: [
    {
      on: FIRST,
      steps: [
        say(
          thinking(
            'The page awaits each price in turn. A cache is a decision about how old a price may be, and that is not mine to make.',
          ),
          text('I look at how the page gets its prices.'),
          tool('Bash', {
            command: 'cat src/product-page.js src/fetch-price.js',
            description: 'Read the page and the price lookup',
          }),
        ),
        say(
          text(
            'The page asks for one price after the other and waits each time. There is more than one good way out, and they differ in how old a price may get. That is for you to decide.',
          ),
          ask,
        ),
        goOn,
        check,
        finish,
      ],
    },
  ],
};
