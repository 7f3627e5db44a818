import { type TurnId } from '#contracts';

/** Which turns began when and which have ended: what a turn left open ends with it. */
export class TurnBook {
  readonly #startedAt = new Map<TurnId, number>();
  readonly #ended = new Set<TurnId>();

  started(turnId: TurnId, at: number): void {
    this.#startedAt.set(turnId, at);
  }

  /** Notes the end and tells when the turn began, where that is known. */
  ended(turnId: TurnId): number | undefined {
    this.#ended.add(turnId);
    return this.#startedAt.get(turnId);
  }

  isOver(turnId: TurnId): boolean {
    return this.#ended.has(turnId);
  }
}
