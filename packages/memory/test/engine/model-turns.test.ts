/** Embedder and judge on one model: one call at a time, whoever asks. */
import { Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { expect, it } from "vitest";

const dimensions = 384;

/** Stands for the model, without one: notes how many calls are under way at the same moment. */
class CountingModel extends BundledEmbedder {
  atOnceMax = 0;
  judgedCount = 0;
  #count = 0;

  override async embedWords(texts: readonly string[]) {
    await this.#work();
    return texts.map((text) => ({ vector: toVector(text), words: [], wordVectors: new Float32Array() }));
  }

  override async embedAdapted(texts: readonly string[]) {
    this.judgedCount++;
    await this.#work();
    return texts.map(toVector);
  }

  async #work(): Promise<void> {
    this.atOnceMax = Math.max(this.atOnceMax, ++this.#count);
    await new Promise((resolve) => setImmediate(resolve));
    this.#count--;
  }
}

function toVector(text: string): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, i) => Math.sin(text.length * (i + 1) + text.charCodeAt(0)));
}

it("take turns", async () => {
  const embedder = new CountingModel();
  await using mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder });
  const persons = ["ada", "bea", "cleo"].map((name) => mnemosyne.person(name));
  await Promise.all(
    persons.flatMap((person) => [
      person.commit("I live in Lisbon.", { wait: true }),
      person.commit("My dog is called Rufus.", { wait: true }),
      person.recall("Where do I live?"),
    ]),
  );
  expect(embedder.judgedCount).toBeGreaterThan(0);
  expect(embedder.atOnceMax).toBe(1);
});
