import {
  type Actor,
  type CardRequest,
  type EventBodyOf,
  type Json,
  type RequestId,
  type Usage,
} from '#contracts';

interface ItemBase {
  /** Stays the same for the life of the item; the list keeps the reader's place by it. */
  readonly key: string;
  /** The number of the event that it stands at; the highest of all for what is not stored yet. */
  readonly n: number;
  readonly at: number;
}

export interface MessageItem extends ItemBase {
  readonly kind: 'message';
  readonly messageId: string;
  readonly text: string;
  readonly by: Actor;
  /** `waiting`: in the queue, and can be cancelled. */
  readonly state: 'waiting' | 'taken' | 'cancelled';
}
export interface BlockItem extends ItemBase {
  readonly kind: 'text' | 'thought';
  readonly text: string;
  /** Still being written. */
  readonly streaming: boolean;
  readonly parent?: string | undefined;
}
export interface ToolItem extends ItemBase {
  readonly kind: 'tool';
  readonly toolCallId: string;
  readonly tool: string;
  readonly title: string;
  readonly input: Json | undefined;
  /** The arguments so far, while the agent still writes them. */
  readonly inputText: string;
  readonly inputCut: boolean;
  readonly output: string;
  readonly outputCut: boolean;
  readonly state: 'writing' | 'running' | 'done' | 'failed' | 'ended';
  readonly parent?: string | undefined;
  /** What a sub-agent that it started did. */
  readonly children: readonly TranscriptItem[];
}
export interface RequestItem extends ItemBase {
  readonly kind: 'request';
  readonly requestId: RequestId;
  readonly request: CardRequest;
}
export interface NoticeItem extends ItemBase {
  readonly kind: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
  readonly text: string;
  /** Of a retry: whether something came after it. */
  readonly over?: boolean;
}
export interface TurnEndItem extends ItemBase {
  readonly kind: 'turn-end';
  readonly outcome: EventBodyOf<'turn-ended'>['outcome'];
  readonly failure: EventBodyOf<'turn-ended'>['failure'];
  readonly usage: Usage | undefined;
  /** How long the turn took, where its start is known. */
  readonly took: number | undefined;
}
/** Something that was done to the conversation, in one line. */
export interface FactItem extends ItemBase {
  readonly kind: 'fact';
  readonly fact: EventBodyOf<
    'conversation-created' | 'mode-changed' | 'stop-asked' | 'renamed' | 'tombstone'
  >;
}

export type TranscriptItem =
  MessageItem | BlockItem | ToolItem | RequestItem | NoticeItem | TurnEndItem | FactItem;
export type ItemOf<K extends TranscriptItem['kind']> = Extract<TranscriptItem, { kind: K }>;
