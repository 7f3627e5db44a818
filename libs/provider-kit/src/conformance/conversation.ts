import { randomUUID } from 'node:crypto';
import { MessageId, RequestId, type CardResult, type GiveAnswer, type Verdict } from '#contracts';
import type { AgentSession, ProviderRuntime, StartSession } from '../driver.js';
import { Recording } from './recording.js';
import type { ConformanceRig } from './subject.js';

/** What became of one card, as a test says it. */
export type Outcome = Pick<CardResult, 'outcome' | 'answer' | 'verdict'>;

export const answered = (choices: number[], text?: string): Outcome => ({
  outcome: 'answered',
  answer: { choices, ...(text !== undefined && { text }) },
});
export const decided = (verdict: Verdict): Outcome => ({ outcome: 'answered', verdict });
export const skipped: Outcome = { outcome: 'skipped' };
export const expired: Outcome = { outcome: 'expired' };

/** One session under test, with what it told. */
export class Conversation {
  private constructor(
    readonly session: AgentSession,
    readonly seen: Recording,
    private readonly rig: ConformanceRig,
  ) {}

  static async start(
    rig: ConformanceRig,
    runtime: ProviderRuntime,
    more: Partial<Pick<StartSession, 'resume' | 'mode' | 'gate'>> = {},
  ): Promise<Conversation> {
    const sink = new Recording();
    const session = await runtime.start({
      folder: rig.folder,
      mode: 'autopilot',
      gate: () => ({ rule: 'allow' }),
      proposedRef: randomUUID(),
      pending: [],
      sink,
      ...more,
    });
    return new Conversation(session, sink, rig);
  }

  /** Sends a message; gives back its id once the client has it. */
  async say(text: string): Promise<MessageId> {
    const messageId = MessageId.parse(randomUUID());
    await this.session.send({ messageId, text });
    return messageId;
  }

  /** Waits for the question and settles it with an outcome per card. */
  async settle(
    toolCallId: string,
    outcomes: readonly Outcome[],
  ): Promise<'handed' | 'not-waiting'> {
    const ask = await this.seen.asked(toolCallId);
    const cards = ask.questions.map((question, at): CardResult => ({
      question,
      ...(outcomes[at] ?? expired),
    }));
    const result: GiveAnswer = {
      kind: 'give-answer',
      requestId: RequestId.parse(randomUUID()),
      toolCallId: ask.toolCallId,
      outcome: cards.every((card) => card.outcome === 'answered') ? 'answered' : 'expired',
      mode: 'autopilot',
      cards,
    };
    return this.session.answer(result);
  }

  kill(): Promise<void> {
    return this.rig.kill(this.session);
  }
}
