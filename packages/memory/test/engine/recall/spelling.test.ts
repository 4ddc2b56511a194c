/** Misspelt words in a question: what they find, what the trace says of them, and that a loaded memory does the same. */
import { describe, expect, it } from "vitest";
import { explainRecall } from "../../../../server/src/cli/recall-command.js";
import type { Recall } from "../../../src/engine/recall/recall.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * 86_400_000;
const texts = {
  choir: "The choir sings at the summer concert in the town hall.",
  dinner: "Dinner with Marta at the restaurant by the harbour.",
  knee: "The knee bends to ninety degrees after the exercises.",
};
const folder = new ScratchFolder();
const question = "How was the restaraunt?";

let embedded: (text: string) => void = () => {};

/** Tells what is embedded. */
class TellingEmbedder extends HashingEmbedder {
  override embed(texts: readonly string[]): Promise<Float32Array[]> {
    texts.forEach((text) => embedded(text));
    return super.embed(texts);
  }
}

async function open(path: string, parameters: Record<string, number> = {}) {
  return openMemories({
    path,
    clock: { nowMs: () => at(400) },
    embedder: new TellingEmbedder(),
    parameters: { substanceThreshold: -10, redundancyThreshold: 10, ...parameters },
  });
}

async function remember(path: string, parameters: Record<string, number> = {}) {
  const memories = await open(path, parameters);
  const person = memories.person("ada");
  for (const [i, [id, summary]] of Object.entries(texts).entries()) await person.commit({ id, summary, at: at(i) });
  await person.settled();
  return memories;
}

const coverageOf = ({ trace }: Recall, id: string): number =>
  [...trace.starts, ...trace.passedOver].find((start) => start.id === id)!.lexicalCoverage;

describe("a misspelt word of a question", () => {
  it("finds the word that is meant, and the trace names both", async () => {
    const person = (await remember(":memory:", { startScoreMin: -1 })).person("ada");
    const misspelt = await person.recall(question, { at: at(10), seed: 1 });
    expect(misspelt.trace.spellings).toEqual([{ word: "restaraunt", variant: "restaurant" }]);
    expect(misspelt.trace.starts[0]).toMatchObject({ id: "dinner" });
    expect(explainRecall(misspelt)).toContain('no memory has "restaraunt": taken for "restaurant"');
    const asMeant = await person.recall("How was the restaurant?", { at: at(10), seed: 1 });
    expect(asMeant.trace.spellings).toEqual([]);
    expect(explainRecall(asMeant)).not.toContain("taken for");
    expect(misspelt.trace.starts).toEqual(asMeant.trace.starts);
    expect(coverageOf(misspelt, "knee")).toBe(0);
  });

  it("is embedded as it was meant, once where the memory is known and again where it was loaded meanwhile", async () => {
    const path = folder.next();
    const written = await remember(path);
    const texts: string[] = [];
    embedded = (text) => texts.push(text);
    await written.person("ada").recall(question, { at: at(10), seed: 1 });
    expect(texts).toEqual(["How was the restaurant?"]);
    await written.close();
    texts.length = 0;
    await (await open(path)).person("ada").recall(question, { at: at(10), seed: 1 });
    expect(texts).toEqual([question, "How was the restaurant?"]);
  });

  it("is a word that nobody knows where spelling is not read", async () => {
    const person = (await remember(":memory:", { startScoreMin: -1, spellingRead: 0 })).person("ada");
    const recall = await person.recall(question, { at: at(10), seed: 1 });
    expect(recall.trace.spellings).toEqual([]);
    expect(coverageOf(recall, "dinner")).toBe(0);
  });

  it("finds the same in a memory that was just loaded", async () => {
    const path = folder.next();
    const written = await remember(path);
    const { trace: known } = await written.person("ada").recall(question, { at: at(10), seed: 1 });
    await written.close();
    const { trace: loaded } = await (await open(path)).person("ada").recall(question, { at: at(10), seed: 1 });
    expect(loaded.spellings).toHaveLength(1);
    expect(loaded).toEqual(known);
  });
});
