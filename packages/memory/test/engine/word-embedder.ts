/** The hashing embedder with vectors of words: each has the numbers that its letters give, whatever stands beside it. */
import { isStopWord } from "../../src/text/words.js";
import type { EmbeddedText } from "../../src/ports/embedder.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

export class WordEmbedder extends HashingEmbedder {
  readonly wordDimensions = 64;

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return Promise.all(texts.map((text) => this.#embedText(text)));
  }

  async #embedText(text: string): Promise<EmbeddedText> {
    const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !isStopWord(word));
    const vectors = await this.embed(words);
    const [vector] = await this.embed([text]);
    return { vector: vector!, words, wordVectors: Float32Array.from(vectors.flatMap((numbers) => [...numbers])) };
  }
}
