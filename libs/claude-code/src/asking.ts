import { z } from 'zod';
import { ToolCallId, type CardBody, type GiveAnswer, type TurnId } from '#contracts';
import type { SessionSink } from '#provider-kit';
import { QUESTION_TOOL, readAsked } from './asked.js';
import { toPermissionResult } from './from-hub.js';
import { PLAN_TOOL, afterPlan, planCard, type ToolGate } from './gate.js';
import type { CanUseTool, HookOutput, PermissionResult } from './sdk.js';
import type { SessionRecord } from './session-record.js';
import { WaitingCalls, type ToResult } from './waiting-calls.js';

type About = Parameters<CanUseTool>[2];

interface AskingParts {
  readonly sink: SessionSink;
  readonly record: SessionRecord;
  readonly gate: ToolGate;
  /** The turn that runs, begun where none does. */
  turn(): TurnId;
  /** The client has this result; of a sub-agent's call only the stream says so, the record has none. */
  seen(toolCallId: ToolCallId, of: { subAgent: boolean }): void;
  /** The person has decided about a plan; the client leaves its plan mode by itself where it was approved. */
  planDecided(approved: boolean): void;
}

const OfSubAgent = z.object({ agent_id: z.string(), agent_type: z.string() });
const NO_ID: PermissionResult = { behavior: 'deny', message: 'The call has no usable id.' };
/** Sub-agents whose names are remembered. */
const MOST_AGENTS = 200;

/** Everything that the client asks of a person: questions, leave for an action, approval of a plan. */
export class Asking {
  readonly #waiting = new WaitingCalls();
  /** Calls that the relay knows of. */
  readonly #told = new Set<ToolCallId>();
  /** What kind of sub-agent each is, by the client's id of it. */
  readonly #agents = new Map<string, string>();
  #plans = 0;

  constructor(private readonly parts: AskingParts) {}

  get count(): number {
    return this.#waiting.count;
  }

  /** Whether a plan waits for approval. */
  get hasPlan(): boolean {
    return this.#plans > 0;
  }

  readonly hook = (input: unknown): Promise<HookOutput> => {
    const from = OfSubAgent.safeParse(input).data;
    if (from !== undefined) this.#noteAgent(from.agent_id, from.agent_type);
    return this.parts.gate.hook(input);
  };

  readonly canUseTool: CanUseTool = (tool, input, about) => {
    if (tool === QUESTION_TOOL) return this.#question(input, about);
    if (tool === PLAN_TOOL) return this.#plan(input, about);
    return this.#action(tool, input, about);
  };

  /** Hands the answer to the waiting call; false when none waits. */
  answer(result: GiveAnswer): boolean {
    return this.#waiting.answer(result);
  }

  resultSeen(id: string, of: { subAgent: boolean }): void {
    const seen = this.#waiting.resultSeen(id);
    if (seen === undefined) return;
    if (seen.means === 'withdrawn') this.#withdrawn([seen.toolCallId]);
    else this.parts.seen(seen.toolCallId, of);
  }

  turnEnded(): void {
    this.#withdrawn(this.#waiting.turnEnded());
  }

  #question(input: Record<string, unknown>, about: About): Promise<PermissionResult> {
    const toolCallId = ToolCallId.safeParse(about.toolUseID).data;
    if (toolCallId === undefined) return Promise.resolve(NO_ID);
    const asked = readAsked(toolCallId, input);
    const questions = asked.questions.map(({ shown }) => shown);
    return this.#ask(questions, about, (answer) => toPermissionResult(asked, answer));
  }

  async #plan(input: Record<string, unknown>, about: About): Promise<PermissionResult> {
    const decision = this.parts.gate.planning();
    if (decision !== undefined) return { behavior: 'deny', message: decision };
    this.#plans += 1;
    try {
      const card = planCard(input);
      if (card === undefined) return { behavior: 'deny', message: UNREADABLE_PLAN };
      const result = await this.#ask([card], about, (answer) => afterPlan(input, answer));
      this.parts.planDecided(result.behavior === 'allow');
      return result;
    } finally {
      this.#plans -= 1;
    }
  }

  /** The hook has sent it here, or the client asks although the hook has let it through: it is decided on once more. */
  async #action(
    tool: string,
    input: Record<string, unknown>,
    about: About,
  ): Promise<PermissionResult> {
    const { gate } = this.parts;
    const decision = await gate.decide(tool, input);
    if (decision.is === 'allow') return { behavior: 'allow', updatedInput: input };
    if (decision.is === 'refuse') return { behavior: 'deny', message: decision.reason };
    const { action } = decision;
    return this.#ask([{ kind: 'approval', action, notes: [] }], about, (answer) =>
      gate.afterApproval({ action, tool, input }, answer),
    );
  }

  async #ask(
    questions: CardBody[],
    { toolUseID, signal, agentID }: About,
    toResult: ToResult,
  ): Promise<PermissionResult> {
    const toolCallId = ToolCallId.safeParse(toolUseID).data;
    if (toolCallId === undefined) return NO_ID;
    const answer = this.#waiting.wait(toolCallId, signal, toResult);
    const askedBy = agentID === undefined ? undefined : this.#agentName(agentID);
    const request = { toolCallId, turnId: this.parts.turn(), questions };
    void this.#tell({ ...request, ...(askedBy !== undefined && { askedBy }) });
    return answer;
  }

  /**
   * The client writes its record some 100 ms behind. A session that is killed before has nothing to be
   * resumed from, so a card is shown only once the call stands in the record. A sub-agent's call never does.
   */
  async #tell(request: Parameters<SessionSink['ask']>[0]): Promise<void> {
    const { toolCallId, askedBy } = request;
    if (askedBy === undefined) {
      await this.parts.record.soon((transcript) => transcript.hasCall(toolCallId));
    }
    if (!this.#waiting.has(toolCallId)) return;
    this.#told.add(toolCallId);
    this.parts.sink.ask(request);
  }

  #noteAgent(id: string, type: string): void {
    if (this.#agents.size >= MOST_AGENTS) this.#agents.clear();
    this.#agents.set(id, type);
  }

  #agentName(id: string): string {
    return (this.#agents.get(id) ?? 'sub-agent').slice(0, MOST_AGENTS);
  }

  #withdrawn(toolCallIds: readonly ToolCallId[]): void {
    const told = toolCallIds.filter((toolCallId) => this.#told.delete(toolCallId));
    for (const toolCallId of told) this.parts.sink.withdrawn(toolCallId);
  }
}

const UNREADABLE_PLAN =
  'The plan could not be read, or is too long to be shown to a person whole. Shorten it and propose it again.';
