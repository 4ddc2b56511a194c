/**
 * The probability that the memory holds an answer, from the closeness of the best memory alone. It tells requests that ask
 * for no memory from questions about what was told. What comes close and was never told it cannot tell: on near misses no
 * verdict that we tried was better than chance, so nothing is made of it.
 */
import type { StartScore } from "../paper/start-node.js";
import type { PersonState } from "../engine/person-state.js";

/** Half of the requests without a question to a memory lie below, nine of ten questions about what was told above. */
const middle = 0.43;
const slope = 20;

/** Null in preset "paper", whose closeness has another scale. */
export function confidenceOf(scores: readonly StartScore[], { context }: PersonState): number | null {
  if (context.reading === null) return null;
  const closest = Math.max(0, ...scores.map(({ querySimilarity }) => querySimilarity));
  return 1 / (1 + Math.exp(-slope * (closest - middle)));
}
