import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ClientEntry } from '../records/records.js';
import type { Agents } from '../stage/agents.js';
import { FORGETFUL, HASTY, PATIENT } from './provider-names.js';
import { readRecord } from './record-file.js';

/** Agents that do what the plan says, at once, each with a client in a process of its own. */
export const scriptedAgents: Agents = {
  client: 'scripted-client.mjs',
  prepare: () => Promise.resolve(),
  areReady: ({ providers }) =>
    providers.some(({ descriptor }) => String(descriptor.id) === PATIENT.id),
  place: (dice, name) => ({
    folder: dice.percent(30) ? `${name}-${FORGETFUL}` : name,
    provider: dice.percent(70) ? PATIENT.id : HASTY.id,
  }),
  able: (life) => life,
  async records({ folder }) {
    const names = (await readdir(folder)).filter((name) => name.startsWith('record-'));
    const entries = names.flatMap((name) => readRecord(path.join(folder, name)));
    return (entries as unknown as ClientEntry[]).sort((one, other) => one.at - other.at);
  },
  close: () => Promise.resolve(),
};
