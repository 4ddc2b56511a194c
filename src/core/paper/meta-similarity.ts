/**
 * S_meta of section 3.2 from parts: how close a question comes to when a memory was and what it is about. The paper embeds
 * naturalized time, state and keywords as one text, which changes with time for every memory. Here the phrase and the
 * topic (state and keywords) have a vector each; those of phrases are shared by all memories, and neither ever changes:
 *
 *   S_meta = cos(q, p + t)       q, p, t of unit length
 */
import { type QuantizedVector, cosine } from "../vectors/quantized-vector.js";

export function metaSimilarity(query: QuantizedVector, phrase: QuantizedVector, topic: QuantizedVector): number {
  const square = 2 + 2 * cosine(phrase, topic);
  return square <= 0 ? 0 : (cosine(query, phrase) + cosine(query, topic)) / Math.sqrt(square);
}
