/** Every bound, stated once. Lengths count UTF-16 code units unless the name says bytes. */
export const LIMITS = {
  /** A question's text. What is longer is cut by the relay, and the cut is noted on the card. */
  questionText: 20_000,
  /** Questions in one request. */
  questions: 8,
  /** Options of one question. What a client sends beyond is dropped and noted on the card. */
  options: 100,
  optionLabel: 500,
  optionDescription: 4_000,
  optionPreview: 20_000,
  header: 200,
  /** An action's arguments, command or diff. What is longer is not shown and not run. */
  actionText: 100_000,
  /** Words of a command that can be granted, and the length of each. */
  grantWords: 50,
  grantWord: 1_000,
  /** Grants of one conversation. */
  grants: 100,
  /** A plan that waits for approval. */
  planText: 60_000,
  /** What a person types into a card. */
  answerText: 20_000,
  /** A message to an agent. */
  messageText: 200_000,
  /** One stored block of text; the relay sends what is longer in parts. */
  blockText: 60_000,
  /** JSON of a tool's input, as text; what is longer is cut and marked. */
  toolInput: 60_000,
  /** A tool's output over all of its parts; what is longer is cut and marked. */
  toolOutput: 1_000_000,
  /** What is searched for. */
  search: 200,
  title: 200,
  folder: 4_096,
  deviceName: 80,
  lastLine: 200,
  /** One frame on the link between hub and relay, in bytes. */
  linkFrameBytes: 256 * 1024,
  /** An HTTP body, in bytes. */
  bodyBytes: 1024 * 1024,
  /** Rows of a board page. */
  boardPage: 200,
  /** Events replayed when a conversation is opened; beyond that only the last `replayBlocks`. */
  replayEvents: 500,
  replayBlocks: 100,
  /** A running number or a version: PostgreSQL's `integer`. */
  largestNumber: 2_147_483_647,
  /** Messages that wait in one conversation's queue. */
  queuedMessages: 100,
} as const;

/** How long a card waits when neither the provider's contract nor the call says otherwise (C7). */
export const CARD_WAITS_MS = 8 * 60 * 60 * 1000;
/** An access token's life; it lives in the page's memory only. */
export const ACCESS_TOKEN_MS = 10 * 60 * 1000;
/** How long a sign-in or pairing link can be spent. */
export const SIGN_IN_LINK_MS = 15 * 60 * 1000;
