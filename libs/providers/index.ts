import type { ProviderDriver } from '#provider-kit';
import { claude } from './claude/index.js';
import { deepseek } from './deepseek/index.js';

/** Every provider that is offered: one folder each, one line here. */
export const PROVIDERS: readonly ProviderDriver[] = [claude, deepseek];
