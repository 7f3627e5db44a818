import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CardRequest, Conversation, StoredEvent } from '#contracts';
import { newToolResults, personTexts, say, text, tool, type Scenario } from '#scripted-models';
import { startClaudeProduct, type ClaudeProduct } from '../support/claude-product.js';
import { descendants } from '../support/process-tree.js';

const MINUTES = 60_000;

const QUESTION = 'Which database should the new service use?';
const ask = tool('AskUserQuestion', {
  questions: [
    {
      question: QUESTION,
      header: 'Database',
      multiSelect: false,
      options: [
        { label: 'PostgreSQL', description: 'What the other services use' },
        { label: 'SQLite', description: 'No server to run' },
      ],
    },
  ],
});
const SCENARIO: Scenario = {
  name: 'kills',
  turns: [
    {
      on: 'ask me',
      steps: [say(ask), (call) => say(text(`Told: ${JSON.stringify(newToolResults(call))}`))],
    },
  ],
  otherwise: (call) => say(text(`Told by message: ${personTexts(call).at(-1) ?? ''}`)),
};

let claude: ClaudeProduct;
beforeAll(async () => {
  claude = await startClaudeProduct(SCENARIO);
}, 10 * MINUTES);
afterAll(async () => {
  await claude?.close();
}, 2 * MINUTES);

/** Starts an agent that asks, and waits for its card. */
async function asking(): Promise<{ conversation: Conversation; request: CardRequest }> {
  const answer = await claude.device.post('/api/conversations', {
    relayId: claude.relayId,
    provider: 'claude',
    folder: claude.folder(randomUUID()),
    mode: 'autopilot',
    firstMessage: { messageId: randomUUID(), text: `ask me ${randomUUID()}` },
  });
  const conversation = answer.body as Conversation;
  const request = await claude.device.hearRequest(conversation.id);
  return { conversation, request };
}

/**
 * Answers with the second choice. While no hub runs the connection waits at the front door; a tap over a connection
 * that died with its hub is made again, as the page does: the same answer twice is one (C10).
 */
async function answer(request: CardRequest): Promise<number> {
  const [card] = request.cards;
  if (card === undefined) throw new Error('a request without a card');
  for (;;) {
    try {
      return (await claude.device.answer(card, { choices: [1] })).status;
    } catch (error) {
      // What fetch throws when a connection is cut; by its name, since it is another realm's class.
      if ((error as Error).name !== 'TypeError') throw error;
    }
  }
}

/** Resolves once the hub tells that the answer has reached the agent. */
async function delivered(request: CardRequest): Promise<void> {
  const opened = await claude.device.open(request.conversationId);
  const isDelivered = ({ body }: StoredEvent): boolean =>
    body.kind === 'delivery-changed' &&
    body.requestId === request.id &&
    body.delivery === 'delivered';
  if (opened.kind !== 'refused' && opened.page.events.some(isDelivered)) return;
  await claude.device.hearEvent(isDelivered);
}

/** Every text that the model was sent in this conversation, results of tools included. */
const sentToTheModel = (conversation: Conversation): string =>
  JSON.stringify(
    claude.model.calls
      .filter((call) => JSON.stringify(call.messages).includes(conversation.title))
      .map((call) => call.messages.at(-1)),
  );

describe('kill -9 while a card is open', () => {
  it(
    '[C11] the hub: the answer given after it reaches the waiting client',
    async () => {
      const { conversation, request } = await asking();
      const told = claude.model.call((call) => {
        const said = JSON.stringify(call.messages);
        return said.includes(conversation.title) && said.includes('SQLite\\"');
      });
      process.kill(claude.product.pidOf('hub'), 'SIGKILL');
      expect(await answer(request)).toBe(200);
      expect(JSON.stringify((await told).messages)).toContain('Your questions have been answered');
    },
    3 * MINUTES,
  );

  it(
    '[C9] the client: the card stays open, marked detached',
    async () => {
      await claude.device.connect();
      const { request } = await asking();
      const [client] = descendants(claude.product.pidOf('relay'), 'claude');
      expect(client).toBeDefined();
      killClients();
      const change = await claude.device.hear('inbox', ({ entries }) =>
        entries.some((entry) => entry.request.id === request.id && entry.request.detached),
      );
      const entry = change.entries.find((one) => one.request.id === request.id);
      expect(entry?.request.status).toBe('open');
    },
    3 * MINUTES,
  );

  it(
    '[C11] the client: the agent is resumed and told the answer with its question restated',
    async () => {
      const { conversation, request } = await asking();
      killClients();
      await claude.device.hear('inbox', ({ entries }) =>
        entries.some((entry) => entry.request.id === request.id && entry.request.detached),
      );
      const told = claude.model.call((call) => {
        const last = personTexts(call).at(-1) ?? '';
        return last.includes(`You asked: ${QUESTION}`) && sentIn(call, conversation);
      });
      expect(await answer(request)).toBe(200);
      expect(personTexts(await told).at(-1)).toContain('The person answered: SQLite');
    },
    3 * MINUTES,
  );

  it(
    '[C11] the relay: the agent is resumed by the next one and told the answer once',
    async () => {
      const { conversation, request } = await asking();
      process.kill(claude.product.pidOf('relay'), 'SIGKILL');
      const told = claude.model.call((call) => {
        const last = personTexts(call).at(-1) ?? '';
        return last.includes('The person answered: SQLite') && sentIn(call, conversation);
      });
      expect(await answer(request)).toBe(200);
      await told;
      await delivered(request);
      expect(sentToTheModel(conversation).split('The person answered: SQLite')).toHaveLength(2);
    },
    3 * MINUTES,
  );
});

const sentIn = (call: { messages: unknown }, conversation: Conversation): boolean =>
  JSON.stringify(call.messages).includes(conversation.title);

/** Every client of this relay's, as the machine's own out-of-memory killer would. */
function killClients(): void {
  for (const { pid } of descendants(claude.product.pidOf('relay'), 'claude')) {
    process.kill(pid, 'SIGKILL');
  }
}
