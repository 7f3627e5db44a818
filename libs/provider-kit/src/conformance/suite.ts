import { afterAll, beforeAll, describe } from '@jest/globals';
import type { ProviderRuntime } from '../driver.js';
import { Conversation } from './conversation.js';
import { describeFailures } from './failures.js';
import type { Ground } from './ground.js';
import { describeLife } from './life.js';
import { describeQuestions } from './questions.js';
import { suiteScenario } from './scenario.js';
import type { ConformanceRig, ConformanceSubject } from './subject.js';
import { describeWork } from './work.js';

/** Time enough for a client of hundreds of megabytes to start on a slow machine; no test waits for time. */
const PATIENCE_MS = 120_000;

/** Holds a driver to the interface and to the capabilities that it declares. */
export function describeDriver(subject: ConformanceSubject): void {
  describe(`driver ${subject.driver.descriptor.id}`, () => {
    let rig: ConformanceRig | undefined;
    let runtime: ProviderRuntime | undefined;
    const need = <T>(value: T | undefined): T => {
      if (value === undefined) throw new Error('the suite has not started');
      return value;
    };
    const ground: Ground = {
      subject,
      rig: () => need(rig),
      runtime: () => need(runtime),
      converse: (resume) =>
        Conversation.start(need(rig), need(runtime), resume === undefined ? {} : { resume }),
    };
    beforeAll(async () => {
      rig = await subject.start(suiteScenario(subject));
      runtime = await subject.driver.open(rig.host);
    }, PATIENCE_MS);
    afterAll(async () => {
      await runtime?.close();
      await rig?.stop();
    }, PATIENCE_MS);
    describeWork(ground);
    describeQuestions(ground);
    describeLife(ground);
    describeFailures(ground);
  });
}
