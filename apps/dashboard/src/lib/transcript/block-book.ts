import { type Delta, type EventBodyOf, type TurnId } from '#contracts';
import { UNSTORED, type ItemStore } from './item-store.js';
import { TextParts } from './text-parts.js';
import { type TurnBook } from './turn-book.js';

type Block = EventBodyOf<'text' | 'thought'>;

interface Known {
  readonly key: string;
  readonly kind: Block['kind'];
  readonly parts: TextParts;
  readonly turnId: TurnId;
  readonly parent: string | undefined;
  n: number;
  at: number;
}

/** Replies and thoughts: whole blocks, parts of blocks, and blocks that are still being written. */
export class BlockBook {
  readonly #known = new Map<string, Known>();
  readonly #open = new Set<string>();

  constructor(
    private readonly store: ItemStore,
    private readonly turns: TurnBook,
  ) {}

  addBlock(body: Block, where: { n: number; at: number }): void {
    const block = this.#find(body, where);
    block.parts.addWhole(body.text, body.part);
    block.n = Math.min(block.n, where.n);
    this.#show(block);
  }

  addDelta(delta: Delta, at: number): void {
    if (delta.kind === 'tool-input' || this.turns.isOver(delta.turnId)) return;
    const block = this.#find({ ...delta, kind: delta.kind }, { n: UNSTORED, at });
    if (block.parts.addDelta(delta.offset, delta.text)) this.#show(block);
  }

  /** What the turn left unfinished stays as far as it came, above the turn's end at event `n`. */
  turnEnded(turnId: TurnId, n: number): void {
    for (const key of this.#open) {
      const block = this.#known.get(key);
      if (block?.turnId !== turnId) continue;
      block.n = Math.min(block.n, n);
      this.#show(block);
    }
  }

  #find(
    of: Pick<Block, 'kind' | 'turnId' | 'blockId' | 'parentToolCallId'>,
    where: { n: number; at: number },
  ): Known {
    const key = `block:${of.turnId}:${of.blockId}`;
    const held = this.#known.get(key);
    if (held !== undefined) return held;
    const made: Known = {
      key,
      kind: of.kind,
      parts: new TextParts(),
      turnId: of.turnId,
      parent: of.parentToolCallId,
      ...where,
    };
    this.#known.set(key, made);
    return made;
  }

  #show({ key, kind, n, at, parts, parent, turnId }: Known): void {
    const streaming = parts.open && !this.turns.isOver(turnId);
    if (streaming) this.#open.add(key);
    else this.#open.delete(key);
    this.store.put({ kind, key, n, at, text: parts.text, streaming, parent }, parent);
  }
}
