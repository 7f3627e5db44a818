import { describe, expect, it } from '@jest/globals';
import { gateHook, permissionFor } from './gate.js';

const decisionOf = (input: unknown, mode: 'autopilot' | 'ask' | 'plan' = 'autopilot') =>
  gateHook(input, mode).hookSpecificOutput?.permissionDecision;

describe('the gate', () => {
  it('[M2] autopilot lets a tool run, with the very input that was decided on', () => {
    const input = { tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(gateHook(input, 'autopilot')).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'ls' },
      },
    });
  });

  it('[P1] a question is not decided by the gate', () => {
    const input = { tool_name: 'AskUserQuestion', tool_input: {} };
    expect(gateHook(input, 'autopilot')).toEqual({});
  });

  it.each(['EnterPlanMode', 'ExitPlanMode'])('[M1] %s changes no mode', (tool) => {
    expect(decisionOf({ tool_name: tool, tool_input: {} })).toBe('deny');
    expect(permissionFor(tool, {}, 'autopilot').behavior).toBe('deny');
  });

  it.each(['ask', 'plan'] as const)('[M7] in %s nothing runs while it can’t be gated', (mode) => {
    expect(decisionOf({ tool_name: 'Read', tool_input: {} }, mode)).toBe('deny');
    expect(permissionFor('Read', {}, mode).behavior).toBe('deny');
  });

  it.each([undefined, null, {}, { tool_name: 'Bash' }, { tool_name: 7, tool_input: {} }])(
    '[security] fails closed on %j',
    (input) => {
      expect(decisionOf(input)).toBe('deny');
    },
  );

  it('[security] a tool called like a property of every object is no exception', () => {
    expect(permissionFor('constructor', {}, 'autopilot').behavior).toBe('allow');
    expect(decisionOf({ tool_name: 'constructor', tool_input: {} }, 'plan')).toBe('deny');
  });
});
