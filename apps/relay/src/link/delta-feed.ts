import type { ConversationId, Delta, RelayDeltas } from '#contracts';
import { Delta as DeltaShape, LIMITS, makeVisible } from '#contracts';

type Piece = RelayDeltas['deltas'][number];

/** Pieces that come within this time go in one frame: quicker than an eye, and a tenth of the work. */
const GATHER_MS = 25;
const MOST_PIECES = 500;
const MOST_BYTES = LIMITS.linkFrameBytes / 4;

/**
 * Pieces of blocks in the making: gathered, joined where they follow each other, and dropped where nobody can
 * take them now. The whole block comes over the journal anyway.
 */
export class DeltaFeed {
  #pieces: Piece[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    /** Sends one frame, or drops it where the hub is away or behind. */
    private readonly emit: (deltas: RelayDeltas) => void,
  ) {}

  add(conversationId: ConversationId, delta: Delta): void {
    const shown = DeltaShape.safeParse({ ...delta, text: makeVisible(delta.text) });
    if (!shown.success || this.#joined(conversationId, shown.data)) return;
    if (this.#pieces.length >= MOST_PIECES || this.#size > MOST_BYTES) this.flush();
    this.#pieces.push({ conversationId, delta: shown.data });
    this.#size += delta.text.length;
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pieces.length === 0) return;
    const deltas = this.#pieces;
    this.#pieces = [];
    this.#size = 0;
    this.emit({ deltas });
  }

  /** Joins a piece to the last one of its conversation where it goes on from there. */
  #joined(conversationId: ConversationId, delta: Delta): boolean {
    const last = this.#pieces.findLast((piece) => piece.conversationId === conversationId)?.delta;
    if (last === undefined || last.blockId !== delta.blockId || last.kind !== delta.kind)
      return false;
    if (last.offset + last.text.length !== delta.offset) return false;
    if (last.text.length + delta.text.length > LIMITS.blockText / 4) return false;
    last.text += delta.text;
    this.#size += delta.text.length;
    return true;
  }
}
