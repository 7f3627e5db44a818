import {
  ACKNOWLEDGED,
  BOARD,
  CARD,
  CONVERSATION,
  EVENTS_AFTER,
  EVENTS_BEFORE,
  INBOX,
  LINK_CURSORS,
  OUTBOX,
  QUEUE,
  RECENT_FOLDERS,
  REQUESTS_OF_CONVERSATION,
} from './reads/queries.js';
import { GIVE_TIME, LOCK_HEADS_TO_GIVE_TIME, SEE_CLOCK } from './writes/clock-queries.js';
import { DUE, NEXT_DEADLINE } from './writes/deadline-queries.js';
import {
  LOAD_CONVERSATIONS,
  LOAD_MESSAGES,
  LOAD_REQUESTS,
  LOCK_HEADS,
  SETTLE,
} from './writes/statements.js';

/** The statements that run often, or over tables that grow, by name: a test reads their plans. */
export const HOT_QUERIES = {
  inbox: INBOX,
  board: BOARD.board,
  archive: BOARD.archive,
  conversation: CONVERSATION,
  'events after': EVENTS_AFTER,
  'events before': EVENTS_BEFORE,
  queue: QUEUE,
  'requests of a conversation': REQUESTS_OF_CONVERSATION,
  card: CARD,
  'recent folders': RECENT_FOLDERS,
  'link cursors': LINK_CURSORS,
  outbox: OUTBOX,
  acknowledged: ACKNOWLEDGED,
  due: DUE,
  'next deadline': NEXT_DEADLINE,
  'see clock': SEE_CLOCK,
  'lock heads to give time': LOCK_HEADS_TO_GIVE_TIME,
  'give time': GIVE_TIME,
  'lock heads': LOCK_HEADS,
  'load conversations': LOAD_CONVERSATIONS,
  'load requests': LOAD_REQUESTS,
  'load messages': LOAD_MESSAGES,
  settle: SETTLE,
} as const;
