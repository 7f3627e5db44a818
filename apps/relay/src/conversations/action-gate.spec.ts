import { describe, expect, it } from '@jest/globals';
import type { RelayMode } from '#contracts';
import { actionGate, AUTOPILOT_LEASE_MS, type ActionGateParts } from './action-gate.js';

const gateOf = (mode: RelayMode, more: Partial<ActionGateParts> = {}) =>
  actionGate({
    folder: '/home/me/project',
    secretFolders: ['/home/me/.local/share/coxswain/hub'],
    mode: () => mode,
    hubAwayMs: () => 0,
    ...more,
  });
const RUN = { kind: 'run', tool: 'Bash' } as const;
const reads = (path: string) => ({ kind: 'read-outside', tool: 'Read', path }) as const;

describe('the gate of a conversation', () => {
  it('[M6] follows the mode as it is at each action', () => {
    let mode: RelayMode = 'ask';
    const gate = gateOf('ask', { mode: () => mode });
    expect(gate(RUN).rule).toBe('ask');
    mode = 'autopilot';
    expect(gate(RUN).rule).toBe('allow');
    mode = 'plan';
    expect(gate(RUN).rule).toBe('refuse');
  });

  it('[M6] lets autopilot go on for the length of a lease while the hub is away, then asks', () => {
    let away = AUTOPILOT_LEASE_MS;
    const gate = gateOf('autopilot', { hubAwayMs: () => away });
    expect(gate(RUN).rule).toBe('allow');
    away += 1;
    expect(gate(RUN).rule).toBe('ask');
  });

  it.each(['autopilot', 'ask', 'plan'] as const)('[M3] refuses what is the hub’s in %s', (mode) => {
    const ruling = gateOf(mode)(reads('/home/me/.local/share/coxswain/hub/hub.key'));
    expect(ruling).toMatchObject({ rule: 'refuse', reason: expect.stringContaining('every mode') });
  });

  it('[M3] refuses it also to an agent whose own folder the hub’s lies in', () => {
    const gate = gateOf('autopilot', { folder: '/home/me' });
    expect(gate(reads('/home/me/.local/share/coxswain/hub/hub.key')).rule).toBe('refuse');
    expect(gate(reads('/home/me/notes')).rule).toBe('allow');
  });

  it('[M3] lets an agent work in a folder of its own among the secret ones', () => {
    const gate = gateOf('autopilot', { secretFolders: ['/home/me'] });
    expect(gate(reads('/home/me/project/a')).rule).toBe('allow');
    expect(gate(reads('/home/me/projects')).rule).toBe('refuse');
  });
});
