/**
 * An embedder for tests: no model, no files, the same numbers on every machine. Each word has a vector drawn from a hash of
 * its letters, a text has the sum of its words', so texts that share words are alike.
 */
export class HashingEmbedder {
  #words = new Map();

  constructor({ name = "hashing", dimensions = 64 } = {}) {
    this.identity = { name, dimensions };
    this.textsPerCall = 16;
  }

  async embed(texts) {
    return texts.map((text) => this.#embedText(text));
  }

  async close() {}

  #embedText(text) {
    const sum = new Float32Array(this.identity.dimensions);
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
    for (const word of words) {
      const vector = this.#wordVector(word);
      for (let i = 0; i < sum.length; i++) sum[i] += vector[i];
    }
    return sum;
  }

  #wordVector(word) {
    let vector = this.#words.get(word);
    if (vector === undefined) {
      const next = seededRandom(`${this.identity.name} ${word}`);
      vector = Float32Array.from({ length: this.identity.dimensions }, () => next() - 0.5);
      this.#words.set(word, vector);
    }
    return vector;
  }
}

/** Numbers in [0, 1), the same for the same seed (mulberry32 over FNV-1a). */
export function seededRandom(seed) {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
