import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DriverHost, ProviderDriver } from '#provider-kit';
import type { ConformanceRig, ConformanceSubject } from '#provider-kit/conformance';
import { ScriptedMessagesApi, tool, type Scenario } from '#scripted-models';
import { installedClient } from './client-cache.js';
import { LivingProcesses } from './living-processes.js';
import { makeScratchFolder } from './scratch-folder.js';

export interface ClaudeCodeOf {
  driver: ProviderDriver;
  told: ConformanceSubject['told'];
  /** The provider's settings for this address. */
  settings(url: string): Record<string, string>;
}

/** A provider whose agents run in Claude Code's real client, with a scripted model behind it. */
export function claudeCodeSubject(of: ClaudeCodeOf): ConformanceSubject {
  return {
    driver: of.driver,
    told: of.told,
    ask: (id, questions) =>
      tool(
        'AskUserQuestion',
        {
          questions: questions.map(({ several, ...question }) => ({
            ...question,
            multiSelect: several,
          })),
        },
        id,
      ),
    work: (id, output) => tool('Bash', { command: `echo ${output}`, description: 'Says it' }, id),
    nonsense: (id) => tool('AskUserQuestion', { questions: 'which?' }, id),
    start: (scenario) => startRig(of, scenario),
  };
}

/** A client at work on a scripted model, in folders of its own. */
export async function startRig(of: ClaudeCodeOf, scenario: Scenario): Promise<ConformanceRig> {
  const scratch = await makeScratchFolder();
  const folder = path.join(scratch.path, 'work');
  const homeFolder = path.join(scratch.path, 'home');
  await Promise.all([folder, homeFolder].map((made) => mkdir(made, { recursive: true })));
  const model = await ScriptedMessagesApi.start(scenario);
  const processes = new LivingProcesses();
  const host: DriverHost = {
    clientFolder: of.driver.client === undefined ? '' : await installedClient(of.driver.client),
    stateFolder: path.join(scratch.path, 'state'),
    homeFolder,
    // A failing model is asked twice, not eleven times.
    environment: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', CLAUDE_CODE_MAX_RETRIES: '1' },
    settings: of.settings(model.url),
    processes,
    log: () => undefined,
  };
  return {
    host,
    model,
    folder,
    kill: () => processes.killNewest(),
    stop: async () => {
      await model.stop();
      await scratch.remove();
    },
  };
}
