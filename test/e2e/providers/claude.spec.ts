import { jest } from '@jest/globals';
import { describeDriver } from '#provider-kit/conformance';
import { PROVIDERS } from '#providers';
import { claudeCodeSubject } from '../../support/claude-code-subject.js';
import { driverOf } from '../../support/driver-of.js';
import { TOLD_BY_CLAUDE_CODE } from '../../support/told-by-claude-code.js';

jest.setTimeout(120_000);

describeDriver(
  claudeCodeSubject({
    driver: driverOf(PROVIDERS, 'claude'),
    told: TOLD_BY_CLAUDE_CODE,
    settings: (url) => ({ baseUrl: url, apiKey: 'sk-scripted' }),
  }),
);
