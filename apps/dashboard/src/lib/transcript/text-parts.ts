/** A piece of a block that was cut to fit a frame. */
export interface TextPart {
  readonly index: number;
  readonly last: boolean;
}

/** A block that comes in parts, or as a stream of pieces, put together as far as it is known. */
export class TextParts {
  readonly #parts = new Map<number, string>();
  #streamed = '';
  #gap = false;
  #complete = false;

  /** Takes a piece of a block that is being written; false when it changes nothing. */
  addDelta(offset: number, text: string): boolean {
    if (this.#complete || this.#gap) return false;
    if (offset > this.#streamed.length) {
      // A piece was missed. What is shown stays; the whole block comes when it is done.
      this.#gap = true;
      return true;
    }
    const known = this.#streamed.length - offset;
    if (text.length <= known) return false;
    this.#streamed += text.slice(known);
    return true;
  }

  /** Takes a whole block, or one part of it. */
  addWhole(text: string, part: TextPart | undefined): void {
    this.#parts.set(part?.index ?? 0, text);
    if (part === undefined || part.last) this.#complete = true;
  }

  get text(): string {
    if (this.#parts.size === 0) return this.#streamed;
    const whole = [...this.#parts].sort(([a], [b]) => a - b).map(([, text]) => text);
    const stored = whole.join('');
    return !this.#complete && this.#streamed.length > stored.length ? this.#streamed : stored;
  }

  /** Whether more is to come. */
  get open(): boolean {
    return !this.#complete;
  }
}
