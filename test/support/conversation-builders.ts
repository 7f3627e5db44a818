import { randomUUID } from 'node:crypto';
import {
  CardId,
  ConversationId,
  DeviceId,
  MessageId,
  PersonId,
  ProviderId,
  RequestId,
  ToolCallId,
  type Actor,
  type Card,
  type CardRequest,
  type EventBody,
  type Question,
  type RelayId,
} from '#contracts';
import {
  canonicalQuestions,
  type Committed,
  type Deed,
  type IntakeEffect,
  type NewRequest,
  type Refusal,
  type Write,
  type WriteResult,
} from '#domain';
import type { Store } from '#persistence';
import { aQuestion } from './card-builders.js';

/** A conversation in a test's database, with the relay's side of its numbering. */
export interface TestConversation {
  readonly id: ConversationId;
  readonly personId: PersonId;
  readonly relayId: RelayId;
  /** what its creation committed */
  readonly created: Committed;
  /** Sends what the relay would, with the next number. */
  intake(effect: Partial<IntakeEffect>): Promise<Committed>;
  /** The write of the relay's next message, or of the one with this number. */
  intakeWrite(effect: Partial<IntakeEffect>, fence?: { n?: number; epoch?: number }): Write;
  /** Opens a request of so many questions. */
  ask(of?: AskOptions): Promise<CardRequest>;
}

/** What a test wants of a request. */
export interface AskOptions {
  readonly questions?: number;
  readonly body?: Question;
  readonly waits?: number;
  readonly toolCallId?: string;
  readonly deadlineOurs?: boolean;
}

const HOUR_MS = 3_600_000;

/** Makes relay and conversation. */
export async function startConversation(
  store: Store,
  more: { readonly title?: string; readonly folder?: string } = {},
): Promise<TestConversation> {
  const personId = await store.devices.owner();
  const relayId = await store.relays.ensure({ name: 'this machine', publicKey: 'relay-key' });
  const id = ConversationId.parse(randomUUID());
  const created = committedOf(
    await store.writes.write({
      kind: 'create-conversation',
      conversation: {
        id,
        personId,
        relayId,
        provider: ProviderId.parse('scripted'),
        folder: more.folder ?? '/home/somebody/project',
        title: more.title ?? 'Move the invoices',
        mode: 'autopilot',
      },
      firstMessage: { messageId: newMessageId(), text: 'Move the invoices.' },
      deed: aDeed(),
    }),
  );
  return conversationOn(store, { id, personId, relayId, created });
}

function conversationOn(
  store: Store,
  of: Pick<TestConversation, 'id' | 'personId' | 'relayId' | 'created'>,
): TestConversation {
  let n = 0;
  const intakeWrite: TestConversation['intakeWrite'] = (effect, fence = {}) => ({
    kind: 'intake',
    fence: {
      conversationId: of.id,
      relayId: of.relayId,
      epoch: fence.epoch ?? 1,
      n: fence.n ?? (n += 1),
    },
    effect: { events: [], patch: {}, ...effect },
  });
  const intake: TestConversation['intake'] = async (effect) =>
    committedOf(await store.writes.write(intakeWrite(effect)));
  return {
    ...of,
    intake,
    intakeWrite,
    async ask(options = {}) {
      const { requests } = await intake({ open: aNewRequest(options) });
      const [request] = requests;
      if (request === undefined) throw new Error('no request opened');
      return request;
    },
  };
}

/** A request that a relay's message opens. */
export function aNewRequest(of: AskOptions = {}): NewRequest {
  const questions = Array.from({ length: of.questions ?? 1 }, () => of.body ?? aQuestion());
  return {
    requestId: RequestId.parse(randomUUID()),
    cardIds: questions.map(() => CardId.parse(randomUUID())),
    toolCallId: ToolCallId.parse(of.toolCallId ?? `toolu_${randomUUID()}`),
    questions,
    canonical: canonicalQuestions(questions),
    waits: of.waits ?? 8 * HOUR_MS,
    deadlineOurs: of.deadlineOurs ?? true,
  };
}

/** A deed of the device with this name. */
export function aDeed(device = 'Phone'): Deed {
  return { by: aDevice(device), signature: `signed by ${device}` };
}

export function aDevice(name: string): Actor {
  const principal = {
    kind: 'device' as const,
    deviceId: DeviceId.parse(randomUUID()),
    personId: PersonId.parse(randomUUID()),
  };
  return { principal, name };
}

export function newMessageId(): MessageId {
  return MessageId.parse(randomUUID());
}

/** The answer to a card, with the version that is shown unless told otherwise. */
export function answerWrite(
  card: Card,
  of: { readonly choice: number; readonly deed?: Deed; readonly version?: number },
): Write {
  return {
    kind: 'settle-card',
    conversationId: card.conversationId,
    cardId: card.id,
    version: of.version ?? card.version,
    decision: { kind: 'answer', answer: { choices: [of.choice] } },
    deed: of.deed ?? aDeed(),
  };
}

/** The one card of a request, or the one at a place in it. */
export function cardAt(request: CardRequest, position = 0): Card {
  const card = request.cards[position];
  if (card === undefined) throw new Error(`the request has no card ${position}`);
  return card;
}

/** What was committed; fails where the write was refused. */
export function committedOf(result: WriteResult): Committed {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
  return result.committed;
}

/** Why it was refused; fails where it was not. */
export function refusalOf(result: WriteResult): Refusal {
  if (result.ok) throw new Error('expected a refusal, and it was committed');
  return result.refusal;
}

export function kindsOf(committed: Committed): EventBody['kind'][] {
  return committed.events.map(({ body }) => body.kind);
}
