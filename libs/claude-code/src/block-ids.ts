import type { StreamEvent } from './messages.js';

export interface OpenBlock {
  blockId: string;
  kind: 'text' | 'thought' | 'tool-input';
  /** UTF-16 code units written so far. */
  length: number;
}

const KINDS: Readonly<Record<string, OpenBlock['kind']>> = {
  text: 'text',
  thinking: 'thought',
  tool_use: 'tool-input',
};

/**
 * Names blocks so that a whole block has the same id as the pieces that were streamed of it. The client sends
 * each whole block of a message by itself, without its index; while the block is streamed the index is known
 * from the stream, and where nothing is streamed (sub-agents) blocks are counted.
 */
export class BlockIds {
  #messageId: string | undefined;
  #index: number | undefined;
  #open: OpenBlock | undefined;
  readonly #counted = new Map<string, number>();

  /** Follows the stream; gives back the block that a piece belongs to. */
  follow(event: StreamEvent['event']): OpenBlock | undefined {
    if (event.type === 'message_start') this.#messageId = event.message?.id;
    if (event.type === 'message_stop') this.#index = undefined;
    if (event.type === 'content_block_start') this.#begin(event);
    return event.type === 'content_block_delta' ? this.#open : undefined;
  }

  /** The id of a whole block of this message. */
  whole(messageId: string): string {
    const streamed = messageId === this.#messageId ? this.#index : undefined;
    const index = streamed ?? this.#counted.get(messageId) ?? 0;
    this.#counted.set(messageId, index + 1);
    return blockId(messageId, index);
  }

  #begin(event: StreamEvent['event']): void {
    this.#index = event.index ?? 0;
    const kind = KINDS[event.content_block?.type ?? ''];
    const streamed = blockId(this.#messageId ?? '', this.#index);
    this.#open = kind && {
      kind,
      blockId: kind === 'tool-input' ? (event.content_block?.id ?? streamed) : streamed,
      length: 0,
    };
  }
}

const blockId = (messageId: string, index: number): string => `${messageId.slice(0, 180)}#${index}`;
