/**
 * S_meta of section 3.2 from parts: how close a question comes to when a memory was and what it is about. The paper embeds
 * naturalized time, state and keywords as one text, which changes with time for every memory. Here the phrase and the
 * topic (state and keywords) have a vector each; those of phrases are shared by all memories, and none ever changes:
 *
 *   S_meta = cos(q, w p + (1 - w) t)       q, p, t of unit length
 *
 * w is 0.3: the phrase would be the smaller part of the one text.
 */
import { type QuantizedVector, cosine } from "../vectors/quantized-vector.js";

const phraseShare = 0.3;

export function metaSimilarity(query: QuantizedVector, phrase: QuantizedVector, topic: QuantizedVector): number {
  const [w, v] = [phraseShare, 1 - phraseShare];
  const length = Math.sqrt(w * w + v * v + 2 * w * v * cosine(phrase, topic));
  return (w * cosine(query, phrase) + v * cosine(query, topic)) / length;
}
