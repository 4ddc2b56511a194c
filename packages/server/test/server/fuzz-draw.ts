/** Draws from one seeded source, so that a seed is a whole run. */
import { seededRandom } from "../../../memory/test/durability/hashing-embedder.mjs";

export class Draw {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seededRandom(seed);
  }

  /** 0 to max - 1. */
  below(max: number): number {
    return Math.floor(this.#next() * max);
  }

  isLikely(share: number): boolean {
    return this.#next() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new Error("there is nothing to pick from");
    return values[this.below(values.length)]!;
  }
}
