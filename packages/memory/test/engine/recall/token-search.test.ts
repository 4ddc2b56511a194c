/** Late interaction in a recall: which words are compared, with which memories, and what happens where there are none. */
import { expect, it } from "vitest";
import { Mnemosyne, type PersonMemory, type Recall } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import type { StartScore } from "../../../src/core/paper/start-node.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { WordEmbedder } from "../word-embedder.js";

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

const said = {
  violin: "Ada plays the violin in the harbour orchestra.",
  plums: "The plums in the garden ripened early.",
  trains: "Trains to Graz were late on Monday.",
};
const asked = { at: "2025-05-20T10:00:00Z", seed: 1 };

async function remember(person: PersonMemory, texts: Record<string, string> = said): Promise<PersonMemory> {
  for (const [id, text] of Object.entries(texts)) {
    await person.commit({ id, turns: [{ who: "Ada", text }], at: "2025-05-01T10:00:00Z" });
  }
  await person.settled();
  return person;
}

async function open(embedder: HashingEmbedder, store = new MemoryStore()): Promise<PersonMemory> {
  const memories = await openMemories({ store, embedder, judge: false, parameters: { startScoreMin: -1 } });
  return memories.person("ada");
}

function tokensOf({ trace }: Recall, id: string): StartScore["tokens"] {
  return trace.starts.find((start) => start.id === id)!.tokens;
}

it("the words of the question are compared with those of every candidate, and the trace shows how well they match", async () => {
  const person = await remember(await open(new WordEmbedder()));
  const recall = await person.recall("Who plays in the orchestra?", asked);
  expect(recall.memories[0]!.id).toBe("violin");
  expect(tokensOf(recall, "violin")!.best).toBeGreaterThan(0.85);
  expect(tokensOf(recall, "plums")!.best).toBeLessThan(0.5);
});

it("words that say when do not count", async () => {
  const person = await remember(await open(new WordEmbedder()));
  const [timed, plain] = [
    await person.recall("What about the orchestra on Monday?", asked),
    await person.recall("What about the orchestra?", asked),
  ];
  expect(tokensOf(timed, "violin")).toEqual(tokensOf(plain, "violin"));
});

it("a question of time alone is compared by those words", async () => {
  const person = await remember(await open(new WordEmbedder()));
  expect(tokensOf(await person.recall("Monday?", asked), "trains")).not.toBeNull();
});

it("without vectors of words nothing is compared: in the embedder, in the store, or in one of the memories", async () => {
  const none = await remember(await open(new HashingEmbedder()));
  expect(tokensOf(await none.recall("The orchestra?", asked), "violin")).toBeNull();

  const store = new LastingStore();
  const { violin, ...others } = said;
  await remember(await open(new HashingEmbedder(), store), { violin });
  const mixed = await remember(await open(new WordEmbedder(), store), others);
  const recall = await mixed.recall("The orchestra?", asked);
  expect(recall.trace.starts.map(({ tokens }) => tokens)).toEqual([null, null, null]);
});

it("an embedder whose words cannot be packed is refused when it is given", async () => {
  for (const wrong of [
    { wordDimensions: 6 },
    { wordDimensions: 0 },
    { wordDimensions: undefined },
    { embedWords: undefined },
  ]) {
    const embedder = Object.assign(new WordEmbedder(), wrong) as WordEmbedder;
    const opening = Mnemosyne.open(laboratory({ path: ":memory:", embedder }));
    await expect(opening).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringContaining("wordDimensions") as string,
    });
  }
});

it("preset paper and tokensKept = 0 keep none", async () => {
  for (const options of [{ preset: "paper" }, { parameters: { tokensKept: 0 } }] as const) {
    const store = new MemoryStore();
    const memories = await openMemories({ store, embedder: new WordEmbedder(), judge: false, ...options });
    await remember(memories.person("ada"), { violin: said.violin });
    expect((await store.tokens("ada", ["violin"])).size).toBe(0);
  }
});

it("two recalls of the same question at the same time are the same", async () => {
  const person = await remember(await open(new WordEmbedder()));
  const [first, second] = [await person.recall("The orchestra?", asked), await person.recall("The orchestra?", asked)];
  expect(second).toEqual(first);
});
