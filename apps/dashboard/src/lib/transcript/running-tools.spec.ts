import { describe, expect, it } from '@jest/globals';
import type { CardRequest } from '#contracts';
import { runningTools } from './running-tools.js';
import type { ToolItem } from './transcript-item.js';

const tool = (toolCallId: string, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: 'tool',
  key: toolCallId,
  n: 1,
  at: 0,
  toolCallId,
  tool: 'Bash',
  title: toolCallId,
  input: undefined,
  inputText: '',
  inputCut: false,
  output: '',
  outputCut: false,
  state: 'running',
  children: [],
  ...more,
});
const names = (tools: readonly ToolItem[]): string[] => tools.map(({ toolCallId }) => toolCallId);

describe('what is running already', () => {
  it('[M6] are the tools that are at work, and none that has ended', () => {
    expect(names(runningTools([tool('a'), tool('b', { state: 'done' })], []))).toEqual(['a']);
  });

  it('[M6] is not what waits for the person', () => {
    const open = [{ toolCallId: 'a' } as unknown as CardRequest];
    expect(names(runningTools([tool('a'), tool('b')], open))).toEqual(['b']);
  });

  it('[M6] is what a sub-agent does, in place of the call that started it', () => {
    expect(names(runningTools([tool('agent', { children: [tool('inner')] })], []))).toEqual([
      'inner',
    ]);
  });
});
