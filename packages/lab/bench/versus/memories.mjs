/** The same memories and questions for every system, with vectors computed before anything is timed. */
import { SyntheticEmbedder, makeConversation, makeQuestion } from "../synthetic.mjs";

/** How many results a search returns. */
export const resultCount = 10;
/** Far from the numbers of other questions, and without a common factor with the sizes. */
const questionStep = 7919;
const batchSize = 1_000;

/** Answers instantly for texts it knows; time for others counts as embedding. */
export class PrecomputedEmbedder extends SyntheticEmbedder {
  #known = new Map();

  learn(text) {
    this.#known.set(text, super.vectorOf(text));
  }

  vectorOf(text) {
    return this.#known.get(text) ?? super.vectorOf(text);
  }
}

/** A conversation as one text with one vector, as the other systems store it. */
export function makeMemory(number, embedder) {
  const { turns } = makeConversation(number);
  const text = turns.map((turn) => `${turn.who}: ${turn.text}`).join(" ");
  return { number, turns, text, vector: normalize(embedder.vectorOf(text)) };
}

export function* makeBatches(count) {
  const embedder = new SyntheticEmbedder();
  for (let from = 0; from < count; from += batchSize) {
    const length = Math.min(batchSize, count - from);
    yield Array.from({ length }, (_, i) => makeMemory(from + i, embedder));
  }
}

/** Questions about memories all over the store; `number` is the memory that a question is about. */
export function makeQuestions(from, to, count, embedder) {
  return Array.from({ length: to - from }, (_, i) => {
    const number = ((from + i) * questionStep) % count;
    const text = makeQuestion(number);
    embedder.learn(text);
    return { number, text, seed: i, vector: normalize(embedder.vectorOf(text)) };
  });
}

function normalize(vector) {
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
