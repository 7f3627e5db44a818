import type { ClientEntry, ConversationRecords, StoredRequest } from '../records/records.js';

/** How the words that mark a possible repeat begin: to an answer, and to a person's message (C11). */
const MARKS = /You may have (?:been told this|got this message) before/;

/** One time that a client took something, by its own record. */
export interface Handing {
  /** Its place in the client's record. */
  readonly at: number;
  readonly text: string;
  /** Whether it was marked to the agent as a possible repeat. */
  readonly marked: boolean;
}

/** Every time that the client took the end of a request: as the result of its call, or as a message. */
export function answersTaken(
  { client }: Pick<ConversationRecords, 'client'>,
  request: Pick<StoredRequest, 'id' | 'toolCallId'>,
): Handing[] {
  return handings(
    client,
    (entry) =>
      (entry.kind === 'result' && entry.call === request.toolCallId) ||
      (entry.kind === 'message' && entry.messageId === String(request.id)),
  );
}

/** Every time that the client took a person's message. */
export const messagesTaken = (
  { client }: Pick<ConversationRecords, 'client'>,
  messageId: string,
): Handing[] =>
  handings(client, (entry) => entry.kind === 'message' && entry.messageId === messageId);

function handings(
  entries: readonly ClientEntry[],
  fits: (entry: ClientEntry) => boolean,
): Handing[] {
  return entries.flatMap((entry, at) => {
    if (!fits(entry) || !('text' in entry)) return [];
    return [{ at, text: entry.text, marked: MARKS.test(entry.text) }];
  });
}
