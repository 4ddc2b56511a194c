/** Questions and token vectors through everything that moves memories: exported, embedded again. */
import { type EmbeddedNode, Mnemosyne, type PersonMemory, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { noChange } from "../../../src/core/graph/memory-node.js";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { readPages } from "../../../src/engine/records/person-data.js";
import { exportLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const parameters = { redundancyThreshold: 10 };
const questions = ["What gave Ada a rash?", "When was that?"];
const tokens = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 11) % 256);

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

async function nodesOf(store: Store): Promise<EmbeddedNode[]> {
  const { change } = await readPages(await store.load("ada"));
  return change.putNodes.toSorted((x, y) => (x.node.id < y.node.id ? -1 : 1));
}

/** Two memories, the first with every cue, the second with none. */
async function remember(store: Store): Promise<PersonMemory> {
  const person = (await openMemories({ store, parameters })).person("ada");
  const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
  for (const i of [0, 1]) await person.commit({ id: `m${i}`, turns, at: Date.UTC(2025, 0, 1 + i) });
  await person.settled();
  const [first, second] = await nodesOf(store);
  const { summaryVector, hypotheticalVector } = first!;
  const cued = {
    ...first!,
    node: { ...first!.node, questions },
    questionVectors: [summaryVector, hypotheticalVector],
    tokenBytes: tokens,
  };
  await store.apply("ada", {
    baseRevision: await store.revision("ada"),
    change: { ...noChange, putNodes: [cued, second!] },
    outcomes: [],
    forgetInteractions: [],
  });
  return person;
}

it("an export has them; imported it says the same", async () => {
  const lines = await exportLines(await remember(new MemoryStore()));
  const memories = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === "memory");
  expect(memories[0]).toMatchObject({ id: "m0", questions, tokens: Buffer.from(tokens).toString("base64") });
  expect(memories[1]).toMatchObject({ questions: [], questionVectors: [], tokens: null });
  for (const store of [new MemoryStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = (await openMemories({ store, parameters })).person("ada");
    await person.import(lines);
    expect(await exportLines(person)).toEqual(lines);
    expect([...(await store.tokens("ada", ["m0", "m1"]))]).toEqual([["m0", tokens]]);
    expect((await nodesOf(store))[0]!.questionVectors).toHaveLength(2);
  }
});

it("embedding again makes new vectors of questions; tokens of the old embedder go", async () => {
  const store = new LastingStore();
  await remember(store);
  const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
  await Mnemosyne.reembed(laboratory({ store, embedder }));
  const [first, second] = await nodesOf(store);
  const vectors = (await embedder.embed(questions)).map(quantizeVector);
  expect(first!.node.questions).toEqual(questions);
  expect(first!.questionVectors).toEqual(vectors);
  expect(second!.questionVectors).toEqual([]);
  expect((await store.tokens("ada", ["m0"])).size).toBe(0);
});
