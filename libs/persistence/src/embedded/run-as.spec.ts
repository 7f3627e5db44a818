import { describe, expect, it } from '@jest/globals';
import { chooseRunAs, type RunAsFacts } from './run-as.js';

const accounts = [
  { name: 'root', uid: 0, gid: 0 },
  { name: 'nobody', uid: 65534, gid: 65534 },
  { name: 'daemon', uid: 1, gid: 1 },
];
const facts: RunAsFacts = {
  ownUid: 0,
  owner: { uid: 0, gid: 0 },
  dataFolder: '/home/x/postgres/data',
  dataFolderExists: true,
  userNamespacesWork: true,
  ownAccount: true,
  accounts,
};

describe('as whom PostgreSQL runs', () => {
  it('[stack] an ordinary user runs it as itself', () => {
    expect(chooseRunAs({ ...facts, ownUid: 7, owner: { uid: 7, gid: 7 } })).toEqual({
      kind: 'self',
    });
  });
  it('[stack] a user without an account is told so before a database is made', () => {
    const nameless = { ...facts, ownUid: 4711, owner: { uid: 4711, gid: 0 }, ownAccount: false };
    expect(() => chooseRunAs({ ...nameless, dataFolderExists: false })).toThrow(
      /no account for user 4711.*useradd --uid 4711.*DATABASE_URL/s,
    );
    expect(chooseRunAs(nameless)).toEqual({ kind: 'self' });
  });
  it('[stack] root over its own data uses a user namespace, as an account that exists', () => {
    expect(chooseRunAs(facts)).toEqual({ kind: 'user-namespace', uid: 1, gid: 1 });
  });
  it('[stack] root over the data of another user becomes that user', () => {
    expect(chooseRunAs({ ...facts, owner: { uid: 7, gid: 8 } })).toEqual({
      kind: 'user',
      uid: 7,
      gid: 8,
    });
  });
  it('[stack] root without user namespaces becomes an account that no agent is started under', () => {
    const denied = { ...facts, userNamespacesWork: false, dataFolderExists: false };
    expect(chooseRunAs(denied)).toEqual({ kind: 'user', uid: 1, gid: 1 });
  });
  it('[stack] root without user namespaces over its own data is told what to do', () => {
    expect(() => chooseRunAs({ ...facts, userNamespacesWork: false })).toThrow(
      /Allow them .* or move the folder .* chown -R 1:1/s,
    );
  });
  it('[stack] somebody else’s data is refused with the command that mends it', () => {
    expect(() => chooseRunAs({ ...facts, ownUid: 7 })).toThrow(/sudo chown -R 7 \/home\/x/);
  });
});
