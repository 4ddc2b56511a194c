/**
 * A custom embedder. This one needs no model: it counts groups of three letters, so texts that share words are similar.
 * It knows nothing about meaning, so the substance filter is turned off, and nothing reads it.
 */
import { type Embedder, Mnemosyne } from "mnemosyne-edge";

class TrigramEmbedder implements Embedder {
  readonly identity = { name: "trigrams", dimensions: 256 };
  readonly textsPerCall = 64;

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => this.#embedText(text.toLowerCase()));
  }

  async close(): Promise<void> {}

  #embedText(text: string): Float32Array {
    const vector = new Float32Array(this.identity.dimensions);
    for (let i = 0; i + 3 <= text.length; i++) {
      let hash = 0;
      for (const letter of text.slice(i, i + 3)) hash = (hash * 31 + letter.codePointAt(0)!) % vector.length;
      vector[hash]! += 1;
    }
    return vector;
  }
}

const mnemosyne = await Mnemosyne.open({
  path: ":memory:",
  embedder: new TrigramEmbedder(),
  reader: false,
  parameters: { substanceThreshold: -10 },
});
const ada = mnemosyne.person("ada");
await ada.commit({ summary: "Ada keeps three hens behind the house." });
await ada.commit({ summary: "Ada repairs clarinets for a living." });
await ada.settled();
const { memories } = await ada.recall("What does Ada repair?");
process.stdout.write(`${memories[0]?.summary}\n`);
await mnemosyne.close();
