import { personTexts, type ModelCall } from '../model-call.js';
import { say, text, type Scenario, type Step } from '../scenario.js';
import type { DemoConversation } from './demo-conversation.js';
import { priceCache } from './price-cache.js';
import { releaseList } from './release-list.js';
import { slowImport } from './slow-import.js';

export type { DemoConversation } from './demo-conversation.js';

/** The three conversations of `npm run demo`: one works, one asks, one asks for several answers. */
export const DEMO_CONVERSATIONS: readonly DemoConversation[] = [
  slowImport,
  priceCache,
  releaseList,
];

/** What is said to an agent beyond its script: it says what it is. */
function beyondTheScript(call: ModelCall): Step {
  const said = (personTexts(call).at(-1) ?? '').trim().split('\n').at(-1) ?? '';
  const quote = said.length > 160 ? `${said.slice(0, 160)}…` : said;
  return say(
    text(
      `This is a demo: I am the real client, but the model behind me is played from a script, and the script ends here. With a model of your own I would now work on “${quote}”.`,
    ),
  );
}

/** What the scripted model plays in the demo, at a pace that people can read along. */
export const DEMO: Scenario = {
  name: 'demo',
  turns: DEMO_CONVERSATIONS.flatMap((conversation) => conversation.turns),
  pace: { charactersPerChunk: 5, msBetweenChunks: 45 },
  otherwise: beyondTheScript,
};
