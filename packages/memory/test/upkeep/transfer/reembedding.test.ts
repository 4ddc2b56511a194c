/** Embedding again: every vector of every memory, edges as they would have been found, pairs and boosts kept. */
import { expect, it } from "vitest";
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { Records } from "../../../src/engine/records/records.js";
import { Codec } from "../../../src/stores/codec.js";
import { exportLines, linesOfKinds } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedModel, answerWell } from "../../engine/scripted-model.js";

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

const another = (): HashingEmbedder => new HashingEmbedder({ name: "another", dimensions: 48 });
const violin = "Ada plays the violin in the harbour orchestra every Friday evening with her friends.";
const texts = {
  first: violin,
  second: violin,
  plums: "The plums on the violin tree ripened early.",
  trains: "Trains were late at Graz.",
  more: "More plums on the violin tree ripened late.",
};

async function remember(
  store: MemoryStore,
  embedder: HashingEmbedder,
  parameters: Record<string, number> = {},
): Promise<PersonMemory> {
  const person = (await openMemories({ store, embedder, parameters })).person("ada");
  for (const [i, [id, summary]] of Object.entries(texts).entries()) {
    await person.commit({ id, summary, at: Date.parse("2025-05-01T10:00:00Z") + i * 86_400_000 });
  }
  await person.settled();
  return person;
}

/** Memories and links of an export, which hold every vector and every edge. */
async function graphLines(person: PersonMemory): Promise<string[]> {
  return linesOfKinds(await exportLines(person), "links", "memory");
}

it.each([
  ["at the usual threshold", {}],
  ["with every edge there may be", { edgeThreshold: 0 }],
  ["with hardly any edges", { edgeThreshold: 0.9 }],
  ["with two edges for each memory", { edgeThreshold: 0, degreeMax: 2 }],
])("makes of a store what the other embedder would have made of it, %s", async (_, parameters) => {
  const store = new LastingStore();
  await remember(store, new HashingEmbedder(), parameters);
  const progress: unknown[] = [];
  const done = await Mnemosyne.reembed(laboratory({ store, embedder: another(), parameters }), (step) =>
    progress.push(step),
  );
  expect(done).toEqual({ personCount: 1, memoryCount: 5 });
  expect(progress).toEqual([1, 2, 3, 4, 5].map((doneCount) => ({ person: "ada", doneCount, totalCount: 5 })));
  const person = (await openMemories({ store, embedder: another(), parameters })).person("ada");
  expect(await person.check()).toEqual([]);
  expect(await graphLines(person)).toEqual(await graphLines(await remember(new LastingStore(), another(), parameters)));
  expect((await person.get("first")).pairId).toBe("second");
});

it("gives hypothetical queries and quoted statements the vectors that commitment gives them", async () => {
  const commit = async (store: MemoryStore, embedder: HashingEmbedder): Promise<PersonMemory> => {
    const languageModel = new ScriptedModel(answerWell);
    const person = (await openMemories({ store, embedder, languageModel })).person("ada");
    const text = "Penicillin gave me a rash when I was seven.";
    await person.commit({
      id: "a",
      turns: [
        { who: "Ada", text },
        { who: "user", text: "That is noted now." },
      ],
    });
    await person.settled();
    return person;
  };
  const store = new LastingStore();
  await commit(store, new HashingEmbedder());
  await Mnemosyne.reembed(laboratory({ store, embedder: another() }));
  const person = (await openMemories({ store, embedder: another() })).person("ada");
  expect(await graphLines(person)).toEqual(await graphLines(await commit(new LastingStore(), another())));
});

it("belongs to nobody while it runs, and to the new embedder when it is done", async () => {
  const names: (string | undefined)[] = [];
  const store = new LastingStore();
  await remember(store, new HashingEmbedder());
  const records = await Records.open(store, new Codec());
  await Mnemosyne.reembed(laboratory({ store, embedder: another() }), () => {
    void records.embedder().then((embedder) => names.push(embedder?.name));
  });
  expect(new Set(names)).toEqual(new Set(["unfinished re-embedding to another"]));
  expect(await records.embedder()).toEqual({ name: "another", dimensions: 48 });
});
