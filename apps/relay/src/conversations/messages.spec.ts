import { afterEach, describe, expect, it } from '@jest/globals';
import { toldAgain } from '#contracts';
import { journalOnDisk } from '../../../../test/support/relay/journal-on-disk.js';
import { makeRelayStage, type RelayStage } from '../../../../test/support/relay/relay-stage.js';

let stage: RelayStage;
afterEach(() => stage.close());

describe('a message', () => {
  it('[link.4] is handed to no client before the attempt is on the disk', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    const onDisk = new Promise<string>((resolve) => {
      driver.atStart = (session) => {
        session.send = () => {
          resolve(journalOnDisk(stage.home, id));
          return Promise.resolve();
        };
      };
    });
    hub.say(id, 'Hello');
    expect(await onDisk).toContain('"attempt":{"way":"message"');
  });

  it('[C11] of which nobody can tell whether it arrived is sent marked as a possible repeat', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    const messageId = hub.say(id, 'Hello');
    const session = await driver.session(0);
    session.prompt = false;
    await session.message(0);
    driver.sent.set(messageId, 'unknown');
    await stage.crash();
    const resumed = await driver.session(1);
    expect((await resumed.message(0)).text).toBe(toldAgain('Hello'));
  });

  it('[C11] is sent again where the client’s end leaves its hand-over open for ever', async () => {
    stage = await makeRelayStage();
    const { hub, driver } = stage;
    const id = hub.assign();
    hub.say(id, 'One');
    const session = await driver.session(0);
    await hub.nth(id, 'message-picked-up');
    const handed = new Promise<void>((resolve) => {
      session.send = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    hub.say(id, 'Two');
    await handed;
    session.die();
    const resumed = await driver.session(1);
    expect((await resumed.message(0)).text).toBe('Two');
  });
});
