import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { DriverFailure, clientEntry, type ClientPackage } from '#provider-kit';

/**
 * What we use of `@anthropic-ai/claude-agent-sdk`, as types of our own: the package is no dependency of the
 * product, it is installed into the relay's client folder and loaded from there.
 */
export interface ClaudeSdk {
  query(of: { prompt: AsyncIterable<SdkUserMessage>; options: SdkOptions }): SdkQuery;
}

/** A message to the client; `uuid` is ours and comes back in the client's own record and stream. */
export interface SdkUserMessage {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
  uuid: string;
}

/** Messages are read as `unknown` and parsed leniently (messages.ts). */
export interface SdkQuery extends AsyncIterable<unknown> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: ClientMode): Promise<unknown>;
  initializationResult(): Promise<unknown>;
  /** Ends input; the client has about two seconds before it is terminated. */
  close(): void;
}

/** The client's own modes that are used: `plan` makes it plan; what it may do is the gate's matter in both. */
export type ClientMode = 'default' | 'plan';

export type PermissionResult =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

export type CanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  about: { signal: AbortSignal; toolUseID: string; agentID?: string },
) => Promise<PermissionResult>;

export interface HookOutput {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse' | 'PreSkillShellCommand';
    /** `ask` leads to `canUseTool`, whatever rules in settings files allow (measured). */
    permissionDecision: 'allow' | 'deny' | 'ask';
    permissionDecisionReason?: string;
    updatedInput?: Record<string, unknown>;
  };
}
export type PreToolUseHook = (input: unknown) => Promise<HookOutput>;

export interface SpawnOrder {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

/** What the SDK needs of a process, Node's own child process is. */
export type SpawnedProcess = ChildProcessWithoutNullStreams;

export interface SdkOptions {
  cwd: string;
  /** Replaces the environment whole. */
  env: Record<string, string>;
  model?: string;
  sessionId?: string;
  resume?: string;
  permissionMode: ClientMode;
  settings: { useAutoModeDuringPlan: false };
  settingSources: ('user' | 'project')[];
  projectConfigRoot: string;
  includePartialMessages: boolean;
  forwardSubagentText: boolean;
  thinking: { type: 'adaptive'; display: 'summarized' };
  systemPrompt: { type: 'preset'; preset: 'claude_code'; append: string };
  toolConfig: { askUserQuestion: { previewFormat: 'markdown' } };
  extraArgs: Record<string, string | null>;
  hooks: {
    [E in 'PreToolUse' | 'PreSkillShellCommand']: {
      hooks: PreToolUseHook[];
      onFailure: 'block';
    }[];
  };
  canUseTool: CanUseTool;
  spawnClaudeCodeProcess: (order: SpawnOrder) => SpawnedProcess;
}

/** The package and the version that the facts in this library were measured with. */
export const CLAUDE_CODE: ClientPackage = {
  name: '@anthropic-ai/claude-agent-sdk',
  version: '0.3.332',
  verify: async (folder) => {
    await loadSdk(folder);
  },
};

/** Loads the client; rejects with a {@link DriverFailure} where it is not there or not what it should be. */
export async function loadSdk(clientFolder: string): Promise<ClaudeSdk> {
  const missing = (cause?: unknown): DriverFailure =>
    new DriverFailure(
      {
        code: 'client-missing',
        message: `Claude Code's client ${CLAUDE_CODE.name} ${CLAUDE_CODE.version} is not installed, or not whole.`,
        advice: 'Start the relay again: it installs the client.',
      },
      { cause },
    );
  let loaded: unknown;
  try {
    loaded = await import(clientEntry(clientFolder, CLAUDE_CODE.name));
  } catch (cause) {
    throw missing(cause);
  }
  if (!isSdk(loaded)) throw missing();
  return loaded;
}

const isSdk = (loaded: unknown): loaded is ClaudeSdk =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'query' in loaded &&
  typeof loaded.query === 'function';
