import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Chance that can be played again: the same seed and name throw the same numbers, whatever else was thrown in
 * between, so that each part of a plan is a function of the run's seed alone.
 */
export class Dice {
  readonly #generator;

  constructor(
    readonly seed: number,
    readonly name: string,
  ) {
    const digest = createHash('sha256').update(`${seed}/${name}`).digest();
    this.#generator = xoroshiro128plus(digest.readInt32LE(0));
  }

  /** Dice of their own for a part of what these are for. */
  of(part: string | number): Dice {
    return new Dice(this.seed, `${this.name}/${part}`);
  }

  /** From `min` to `max`, both included. */
  between(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  /** True in so many of a hundred throws. */
  percent(chance: number): boolean {
    return this.between(1, 100) <= chance;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.between(0, from.length - 1)];
    if (picked === undefined) throw new Error(`${this.name}: there is nothing to pick from`);
    return picked;
  }

  /** One of the names, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const names = Object.keys(weights) as K[];
    let left = this.between(
      1,
      names.reduce((sum, name) => sum + weights[name], 0),
    );
    const found = names.find((name) => (left -= weights[name]) <= 0);
    if (found === undefined) throw new Error(`${this.name}: the weights are empty`);
    return found;
  }
}
