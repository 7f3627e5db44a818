import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  findDatabase,
  migrate,
  openStore,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type Store,
} from '#persistence';
import { answerWrite, cardAt, startConversation } from '../support/conversation-builders.js';
import { makeScratchFolder, type ScratchFolder } from '../support/scratch-folder.js';
import { findSystemPostgres } from '../support/system-postgres.js';

jest.setTimeout(60_000);

const installation = await findSystemPostgres();

// Where the system has none, npm's plays the part of one.
describe('a PostgreSQL of one’s own', () => {
  let scratch: ScratchFolder;
  let postgres: EmbeddedPostgres;
  let environment: { DATABASE_URL: string };
  let store: Store;

  beforeAll(async () => {
    scratch = await makeScratchFolder();
    postgres = await startEmbeddedPostgres({
      home: scratch.path,
      durable: false,
      ...(installation === undefined ? {} : { installation }),
    });
    const { user, password, database, host } = postgres.owner;
    environment = {
      DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`,
    };
    const addresses = await findDatabase({ home: '/nowhere', environment });
    await migrate(addresses);
    store = await openStore({ address: addresses.app });
  });
  afterAll(async () => {
    await store.close();
    await postgres.stop();
    await scratch.remove();
  });

  it('[stack] is found by DATABASE_URL, whatever version from 15 on', () => {
    expect(Number.parseInt(postgres.version, 10)).toBeGreaterThanOrEqual(15);
  });

  it('[C10] settles a card once', async () => {
    const conversation = await startConversation(store);
    const card = cardAt(await conversation.ask());

    const results = await Promise.all([
      store.writes.write(answerWrite(card, { choice: 0 })),
      store.writes.write(answerWrite(card, { choice: 1 })),
    ]);

    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('[C1] shows an open card in the inbox', async () => {
    const conversation = await startConversation(store);
    const request = await conversation.ask();

    const { entries } = await store.reads.inbox(conversation.personId);

    expect(entries.map((entry) => entry.request.id)).toContain(request.id);
  });

  it('[security] with one role for everything says what that loses', () => {
    expect(store.roles.losses[0]).toMatch(/Give the schema to another role/);
  });
});

describe('a DATABASE_URL that is none', () => {
  it('[stack] is named, and its value, which may hold a password, is not', async () => {
    const environment = { DATABASE_URL: 'mysql://me:secret@host/db' };

    const finding = findDatabase({ home: '/nowhere', environment });

    await expect(finding).rejects.toThrow(/DATABASE_URL must begin with postgres:\/\//);
    await expect(finding).rejects.not.toThrow(/secret/);
  });
});
