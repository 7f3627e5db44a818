import { MessageId, ToolCallId, makeVisible, cutText } from '#contracts';
import { inParts, oneLine, outputInParts, storableInput, type SessionSink } from '#provider-kit';
import { BlockIds } from './block-ids.js';
import { apiFailure, clientFailure, retryInWords } from './failures.js';
import {
  readMessage,
  resultText,
  takenMessages,
  type Assistant,
  type ClientMessage,
  type ContentBlock,
  type Result,
  type StreamEvent,
  type System,
  type User,
} from './messages.js';
import { toolTitle } from './tool-title.js';
import { Turns } from './turn.js';
import type { TurnUsage } from './usage.js';

/** Messages that say nothing which a person should read. */
const SILENT = new Set([
  'command_lifecycle',
  'tool_progress',
  'tool_use_summary',
  'prompt_suggestion',
  'rate_limit_event',
]);
const SILENT_SYSTEM = new Set([
  'init',
  'status',
  'thinking_tokens',
  'task_started',
  'task_progress',
  'task_updated',
  'task_notification',
  'background_tasks_changed',
  'session_state_changed',
  'commands_changed',
  'files_persisted',
  'hook_started',
  'hook_progress',
  'hook_response',
  'permission_denied',
  'memory_recall',
]);
/** Messages with words of their own for the person. */
const SPEAKING = new Set([
  'informational',
  'notification',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'local_command_output',
]);

export interface ToHubParts {
  sink: SessionSink;
  usage: TurnUsage;
  /** A tool's result has come by in the stream. */
  resultSeen: (toolCallId: string, of: { subAgent: boolean }) => void;
  /** A message of ours has come back in the stream: the client took it out of its queue. */
  messageSeen: (messageId: MessageId) => void;
  turnEnded: () => void;
}

type Severity = 'info' | 'warning' | 'error';

/** Turns the client's messages into events of ours. What it does not know is said once, never dropped unsaid. */
export class ToHub {
  readonly turns: Turns;
  readonly #blocks = new BlockIds();
  readonly #unknown = new Set<string>();
  readonly #seen = new Set<string>();
  #interrupting = false;
  #namedError: string | undefined;

  constructor(private readonly parts: ToHubParts) {
    this.turns = new Turns(parts.sink);
  }

  /** The next result ends a turn that the person stopped. */
  interrupting(): void {
    this.#interrupting = this.turns.isRunning;
  }

  handle(raw: unknown): void {
    for (const id of takenMessages(raw)) this.#taken(id);
    const message = readMessage(raw);
    switch (message.type) {
      case 'stream_event':
        return this.#stream(message);
      case 'assistant':
        return this.#assistant(message);
      case 'user':
        return this.#user(message);
      case 'result':
        return this.#result(message);
      case 'system':
        return this.#system(message);
      case 'unknown':
      case 'unreadable':
        return this.#stranger(message);
    }
  }

  #stream(message: StreamEvent): void {
    if (message.parent_tool_use_id !== undefined) return;
    const turnId = this.turns.begin();
    if (message.abandoned_blocks != null) this.#cutOff();
    const block = this.#blocks.follow(message.event);
    const text = deltaText(message.event);
    if (block === undefined || text === '') return;
    const { kind, blockId } = block;
    this.parts.sink.delta({ kind, blockId, turnId, offset: block.length, text });
    block.length += text.length;
  }

  #cutOff(): void {
    const text = 'The connection broke in the middle of the reply; the agent goes on from there.';
    this.#notice('warning', 'reply-cut', text);
  }

  #assistant(message: Assistant): void {
    if (message.error != null) {
      this.#namedError = message.error;
      return;
    }
    const at = this.#place(message.parent_tool_use_id);
    const messageId = message.message.id ?? message.uuid ?? 'message';
    for (const block of message.message.content) this.#block(block, { ...at, messageId });
  }

  #block(block: ContentBlock, at: Place & { messageId: string }): void {
    const { messageId, ...place } = at;
    const blockId = this.#blocks.whole(messageId);
    switch (block.type) {
      case 'text':
        return this.#text('text', block.text, { ...place, blockId });
      case 'thinking':
        return this.#text('thought', block.thinking, { ...place, blockId });
      case 'tool_use':
        return this.#called(block, place);
      case 'tool_result':
        return this.#returned(block, place);
      case 'unknown':
        return this.#sayOnce(`block ${block.of}`);
    }
  }

  #text(kind: 'text' | 'thought', text: string, at: Place & { blockId: string }): void {
    if (text === '') return;
    for (const part of inParts(text)) this.parts.sink.event({ kind, ...at, ...part });
  }

  #called(block: Extract<ContentBlock, { type: 'tool_use' }>, at: Place): void {
    const toolCallId = ToolCallId.safeParse(makeVisible(block.id)).data;
    if (toolCallId === undefined) return this.#sayOnce('tool call without a usable id');
    this.parts.sink.event({
      kind: 'tool-called',
      ...at,
      toolCallId,
      tool: cutText(makeVisible(block.name), 200),
      title: toolTitle(block.name, block.input),
      ...storableInput(block.input),
    });
  }

  #returned(block: Extract<ContentBlock, { type: 'tool_result' }>, at: Place): void {
    const toolCallId = ToolCallId.safeParse(makeVisible(block.tool_use_id)).data;
    if (toolCallId === undefined) return this.#sayOnce('tool result without a usable id');
    const { parts, cut } = outputInParts(resultText(block.content));
    const failed = block.is_error === true;
    const { turnId } = at;
    for (const { text: output, part } of parts) {
      this.parts.sink.event({
        kind: 'tool-returned',
        turnId,
        toolCallId,
        ...(part && { part }),
        output,
        failed,
        outputCut: cut,
      });
    }
    this.parts.resultSeen(block.tool_use_id, { subAgent: at.parentToolCallId !== undefined });
  }

  #user(message: User): void {
    if (message.isReplay === true && message.uuid !== undefined) this.#taken(message.uuid);
    const results = message.message.content.filter((block) => block.type === 'tool_result');
    if (results.length === 0) return;
    const at = this.#place(message.parent_tool_use_id);
    for (const block of results) this.#returned(block, at);
  }

  #result(result: Result): void {
    this.turns.begin();
    this.parts.turnEnded();
    const usage = this.parts.usage.of(result);
    const interrupted = this.#interrupting || (result.terminal_reason ?? '').startsWith('aborted_');
    const failed = result.is_error === true || result.subtype !== 'success';
    if (interrupted) this.turns.end('interrupted', { usage });
    else if (!failed) this.turns.end('done', { usage });
    else this.turns.end('failed', { usage, failure: this.#failure(result) });
    this.#interrupting = false;
    this.#namedError = undefined;
  }

  #failure(result: Result): ReturnType<typeof apiFailure> {
    return result.subtype === 'success'
      ? apiFailure(result, this.#namedError)
      : clientFailure(result);
  }

  #system(message: System): void {
    const { subtype } = message;
    if (subtype === 'init') this.parts.usage.modelIs(message.model);
    if (subtype === 'status' && message.status === 'requesting') this.turns.begin();
    if (subtype === 'api_retry') return this.#retry(message);
    if (subtype === 'compact_boundary') {
      return this.#notice(
        'info',
        'compacted',
        'The client summarised the earlier conversation to make room.',
      );
    }
    if (SPEAKING.has(subtype)) {
      return this.#notice('info', 'client-says', message.content ?? message.text ?? subtype);
    }
    if (!SILENT_SYSTEM.has(subtype)) this.#sayOnce(`system ${subtype}`);
  }

  #retry(message: System): void {
    this.turns.begin();
    const { text, params } = retryInWords(message);
    this.parts.sink.event({ kind: 'notice', severity: 'warning', code: 'api-retry', params, text });
  }

  #stranger(message: Extract<ClientMessage, { type: 'unknown' | 'unreadable' }>): void {
    if (message.type === 'unreadable') return this.#sayOnce('message without a type');
    if (!SILENT.has(message.of)) this.#sayOnce(message.of);
  }

  #sayOnce(what: string): void {
    if (this.#unknown.has(what)) return;
    this.#unknown.add(what);
    const type = oneLine(what);
    this.parts.sink.event({
      kind: 'notice',
      severity: 'info',
      code: 'unknown-event',
      params: { type },
      text: `The client sent something that this version does not know: ${type}.`,
    });
  }

  #notice(severity: Severity, code: string, text: string): void {
    this.parts.sink.event({
      kind: 'notice',
      severity,
      code,
      params: {},
      text: cutText(makeVisible(text), 4_000),
    });
  }

  #taken(uuid: string): void {
    const id = MessageId.safeParse(uuid).data;
    if (id === undefined || this.#seen.has(id)) return;
    this.#seen.add(id);
    this.parts.messageSeen(id);
  }

  /** A sub-agent may go on when the turn that started it is over; that begins no turn. */
  #place(parentId: string | undefined): Place {
    const parentToolCallId = ToolCallId.safeParse(parentId).data;
    return parentToolCallId === undefined
      ? { turnId: this.turns.begin() }
      : { turnId: this.turns.latest(), parentToolCallId };
  }
}

interface Place {
  turnId: ReturnType<Turns['begin']>;
  parentToolCallId?: ToolCallId;
}

function deltaText({ delta }: StreamEvent['event']): string {
  return delta?.text ?? delta?.thinking ?? delta?.partial_json ?? '';
}
