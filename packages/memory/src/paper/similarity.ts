/**
 * Similarity of two memories (section 3.1.2, Table C3): the weight of the edge between them.
 *
 *   sim = (1 - alpha_key) cosine(summary vectors) + alpha_key Jaccard(keywords)
 */
import type { Parameters } from "../parameters.js";

export function similarity(cosine: number, jaccard: number, parameters: Parameters): number {
  const { keywordWeight } = parameters;
  return (1 - keywordWeight) * cosine + keywordWeight * jaccard;
}
