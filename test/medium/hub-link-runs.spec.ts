import { expect, it } from '@jest/globals';
import { HubRun, type Attached } from '#contracts';
import { PROVIDER, useLinkedHub } from '../support/linked-hub.js';

const at = useLinkedHub();

/** Attaches anew, and remembers of the hub what a relay does. */
const attach = async (): Promise<Attached> => {
  const { relay, url } = at.hub;
  relay.close();
  const attached = await relay.attach(url);
  const { incarnation, run, earlierRuns = [] } = attached;
  const runs = new Set([...(run === undefined ? [] : [run]), ...earlierRuns]);
  relay.met = { incarnation, runs: [...runs, ...(relay.met.runs ?? [])] };
  return attached;
};

it('[link.10] what an earlier life of the hub wrote and a later one hands out is no sign of a restored database', async () => {
  const { hub, phone } = at;
  hub.relay.acknowledges = false;
  const { id } = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(id, 'send-message');
  // As if the link had been cut before any of it came, and the life that wrote it had never been met.
  hub.relay.close();
  hub.relay.heard.clear();
  hub.relay.journalOf(id).received = 0;
  hub.relay.met = { runs: [HubRun.parse('one-before')] };

  await hub.restart();
  const { incarnation } = await attach();
  await hub.relay.hear(id, 'send-message');
  expect((await attach()).incarnation).toBe(incarnation);
});
