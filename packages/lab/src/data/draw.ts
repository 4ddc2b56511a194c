/** Draws at random: the same for the same seed. */
import { createRandom } from "mnemosyne-edge/internal/text/random.js";

/** As many as asked for, or all, in random order. */
export function draw<Item>(items: readonly Item[], count: number, seed: string): Item[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ item }) => item);
}
