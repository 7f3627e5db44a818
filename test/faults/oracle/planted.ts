import type { EventBody } from '#contracts';
import type {
  Attempt,
  ClientEntry,
  ConversationRecords,
  RunRecords,
  SeenEvent,
  StoredCard,
  StoredRequest,
} from '../records/records.js';
import { aHealthyRun, aRequest, CALL, WORDS } from './healthy-run.js';
import { violations } from './oracle.js';

type Database = ConversationRecords['database'];

/** A healthy run in which one thing is otherwise. */
export function planted(
  change: (of: ConversationRecords) => Partial<ConversationRecords>,
): RunRecords {
  const run = aHealthyRun();
  return { ...run, conversations: run.conversations.map((of) => ({ ...of, ...change(of) })) };
}
export const inDatabase = (change: (of: Database) => Partial<Database>): RunRecords =>
  planted(({ database }) => ({ database: { ...database, ...change(database) } }));
export const withRequest = (change: Partial<StoredRequest>): RunRecords =>
  inDatabase(() => ({ requests: [{ ...aRequest(), ...change }] }));
export const withCard = (change: Partial<StoredCard>): RunRecords =>
  withRequest({ cards: aRequest().cards.map((card) => ({ ...card, ...change })) });
export const withClient = (
  change: (of: readonly ClientEntry[]) => readonly ClientEntry[],
): RunRecords => planted(({ client }) => ({ client: change(client) }));
export const withJournal = (change: object): RunRecords =>
  planted(({ journal }) => ({ journal: journal && { ...journal, ...change } }));
export const withAttempts = (
  change: (of: readonly Attempt[]) => readonly Attempt[],
): RunRecords => {
  const run = aHealthyRun();
  return { ...run, attempts: change(run.attempts) };
};
/** Another body in the place of those of a kind. */
export const withBodies = (kind: EventBody['kind'], ...bodies: EventBody[]): RunRecords =>
  inDatabase(({ events }) => {
    const all = events.flatMap(({ body }) => (body.kind === kind ? bodies : [body]));
    return { events: all.map((body, at) => ({ n: at + 1, at: 1, body })), lastEventN: all.length };
  });
export const withSeen = (
  change: (of: readonly SeenEvent[]) => readonly SeenEvent[],
): RunRecords => {
  const run = aHealthyRun();
  const devices = run.devices.map((device) => ({
    ...device,
    conversations: device.conversations.map(({ id, seen }) => ({ id, seen: change(seen) })),
  }));
  return { ...run, devices };
};

/** What the oracle says. */
export const found = (run: RunRecords): string[] => violations(run).map(({ what }) => what);
export const without = (kind: ClientEntry['kind']) => (entries: readonly ClientEntry[]) =>
  entries.filter((entry) => entry.kind !== kind);
export const result: ClientEntry = {
  kind: 'result',
  call: CALL,
  text: WORDS,
  life: 'one',
  at: 1_000,
};
