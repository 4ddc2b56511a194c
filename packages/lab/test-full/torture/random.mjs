/** All chance of a run: numbers from a seed, the same for the same seed, with branches that do not disturb each other. */
import { seededRandom } from "../../../memory/test/durability/hashing-embedder.mjs";

export class Random {
  #next;

  constructor(seed) {
    this.#next = seededRandom(`torture ${seed}`);
  }

  /** In [0, 1). */
  unit() {
    return this.#next();
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  chance(share) {
    return this.#next() < share;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  shuffle(list) {
    const keyed = list.map((item) => ({ item, key: this.#next() }));
    return keyed.toSorted((x, y) => x.key - y.key).map(({ item }) => item);
  }
}
