import { groupedBy } from '../records/grouped-by.js';
import type { ConversationRecords, RunRecords } from '../records/records.js';
import { lostAnswers, queuedBeforeAnswer, repeatedAnswers } from './answers.js';
import { closedByFailure, openForNobody, putToSleepAsking } from './closings.js';
import { lostWords, missingOrDoubledEvents, unevenLink, wrongOnDevice } from './events.js';
import { answersTaken } from './handings.js';
import { wrongMessages } from './messages.js';
import type { Violation } from './violation.js';
import { wrongWinners } from './winners.js';

type Check = (of: ConversationRecords, run: RunRecords) => string[];

/** What is looked at in each conversation, by the name of what must never be. */
const CHECKS: Readonly<Record<string, Check>> = {
  'an accepted answer is lost': lostAnswers,
  'an answer is given twice': repeatedAnswers,
  'a queued message comes before the answer': queuedBeforeAnswer,
  'a message is lost or given twice': wrongMessages,
  'a card is open for nobody': openForNobody,
  'a card is closed by a failure': closedByFailure,
  'a client that asks is put to sleep': putToSleepAsking,
  'an event is missing or doubled': missingOrDoubledEvents,
  'the link is uneven': unevenLink,
  "a client's words are lost or doubled": lostWords,
  'a device was shown something else': (of, { devices }) =>
    devices.flatMap((device) => wrongOnDevice(of, device)),
};

/** Everything in a run's records that must never be. Pure: the records are all that it knows. */
export function violations(run: RunRecords): Violation[] {
  const inConversations = Object.entries(CHECKS).flatMap(([check, look]) =>
    run.conversations.flatMap((of) =>
      look(of, run).map((what) => ({ check, conversation: of.id, what })),
    ),
  );
  const malformed = run.devices.flatMap((device) =>
    device.malformed.map((what) => `${device.name}: ${what}`),
  );
  return [
    ...inConversations,
    ...wrongWinners(run),
    ...run.stuck.map((what) => ({ check: 'a life does not end', what })),
    ...run.leftBehind.map((what) => ({ check: 'a process is left behind', what })),
    ...malformed.map((what) => ({
      check: 'a device was sent what the contracts do not allow',
      what,
    })),
  ];
}

/** What a run was about, for its last lines. */
export interface Tally {
  readonly conversations: number;
  readonly cardLives: number;
  readonly requests: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly answersTaken: number;
  /** Times that a client was given something again that was marked as a possible repeat. */
  readonly markedRepeats: number;
  readonly messages: number;
  readonly events: number;
  readonly attempts: number;
  readonly races: number;
}

export function tally({ conversations, attempts }: RunRecords): Tally {
  const requests = conversations.flatMap(({ database }) => database.requests);
  const cards = requests.flatMap((request) => request.cards);
  const taken = conversations.flatMap((of) =>
    of.database.requests.flatMap((request) => answersTaken(of, request)),
  );
  const outcomes: Record<string, number> = {};
  for (const { status } of cards) outcomes[status] = (outcomes[status] ?? 0) + 1;
  const contenders = groupedBy(attempts, ({ cardId, version }) => `${cardId} ${version}`);
  return {
    conversations: conversations.length,
    cardLives: cards.length,
    requests: requests.length,
    outcomes,
    answersTaken: taken.length,
    markedRepeats: taken.filter(({ marked }) => marked).length,
    messages: conversations.reduce((sum, { database }) => sum + database.messages.length, 0),
    events: conversations.reduce((sum, { database }) => sum + database.lastEventN, 0),
    attempts: attempts.length,
    races: [...contenders.values()].filter((made) => made.length > 1).length,
  };
}
