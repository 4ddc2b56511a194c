/** Questions and token vectors through everything that moves memories: exported, embedded again. */
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { quantizeVector } from "../../../src/graph/vectors/quantized-vector.js";
import { packTokens } from "../../../src/graph/vectors/token-vectors.js";
import { alterLines, exportLines, linesOfKinds, parseLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const parameters = { redundancyThreshold: 10 };
const questions = ["What gave Ada a rash?", "When was that?"];
const tokens = packTokens([Float32Array.from({ length: 64 }, (_, i) => Math.sin(i))], 64);

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

async function open(store: MemoryStore | SqliteStore): Promise<PersonMemory> {
  return (await openMemories({ store, parameters })).person("ada");
}

/** An export of two memories, the first with every cue, the second with none. */
async function linesWithCues(): Promise<string[]> {
  const person = await open(new MemoryStore());
  const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
  for (const i of [0, 1]) await person.commit({ id: `m${i}`, turns, at: Date.UTC(2025, 0, 1 + i) });
  await person.settled();
  return alterLines(await exportLines(person), ({ nodes: [first, second] }) => {
    const questionVectors = [first!.summaryVector, first!.hypotheticalVector];
    const cued = { ...first!, node: { ...first!.node, questions }, questionVectors, tokenBytes: tokens };
    return { nodes: [cued, second!] };
  });
}

it("an export has them; imported it says the same", async () => {
  const lines = await linesWithCues();
  expect(linesOfKinds(lines, "tokens")).toHaveLength(1);
  expect(linesOfKinds(lines, "tokens")[0]).toContain(Buffer.from(tokens).toString("base64"));
  for (const store of [new MemoryStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = await open(store);
    await person.import(lines);
    expect(await exportLines(person)).toEqual(lines);
    const [first, second] = parseLines(await exportLines(person)).nodes;
    expect(first).toMatchObject({ node: { questions }, tokenBytes: tokens });
    expect(first!.questionVectors).toHaveLength(2);
    expect(second).toMatchObject({ node: { questions: [] }, questionVectors: [], tokenBytes: null });
  }
});

it("embedding again makes new vectors of questions; tokens of the old embedder go", async () => {
  const store = new LastingStore();
  await (await open(store)).import(await linesWithCues());
  const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
  await Mnemosyne.reembed(laboratory({ store, embedder }));
  const person = (await openMemories({ store, embedder, parameters })).person("ada");
  const [first, second] = parseLines(await exportLines(person)).nodes;
  const vectors = (await embedder.embed(questions)).map(quantizeVector);
  expect(first!.node.questions).toEqual(questions);
  expect(first!.questionVectors).toEqual(vectors);
  expect(second!.questionVectors).toEqual([]);
  expect([first!.tokenBytes, second!.tokenBytes]).toEqual([null, null]);
});
