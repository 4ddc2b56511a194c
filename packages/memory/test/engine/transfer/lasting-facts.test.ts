/** Facts and pins through everything that moves memories: exported, imported, refined, embedded again. */
import { type EmbeddedNode, type PersonMemory, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { noChange } from "../../../src/core/graph/memory-node.js";
import { readPages } from "../../../src/engine/records/person-data.js";
import { exportLines } from "../../durability/export-lines.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";
import { ScriptedModel, answerWell } from "../scripted-model.js";

const scratch = new ScratchFolder();
const parameters = { redundancyThreshold: 10 };
const coreFacts = '[{"area":"health","text":"A rash."}]';
/** In another order than a store writes them. */
const facts = [{ probability: 0.75, area: "health", text: "Ada" }];

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

async function nodesOf(store: Store): Promise<EmbeddedNode[]> {
  return [...(await readPages(await store.load("ada"))).change.putNodes];
}

/** Two memories: the first with facts and a pin, the second judged to have none; and a core summary with facts. */
async function remember(store: Store): Promise<PersonMemory> {
  const person = (await openMemories({ store, parameters })).person("ada");
  const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
  for (const i of [0, 1]) await person.commit({ id: `m${i}`, turns, at: Date.UTC(2025, 0, 1 + i) });
  await person.settled();
  const [first, second] = await nodesOf(store);
  await store.apply("ada", {
    baseRevision: await store.revision("ada"),
    change: {
      ...noChange,
      putNodes: [
        { ...first!, node: { ...first!.node, facts } },
        { ...second!, node: { ...second!.node, facts: [] } },
      ],
      setPinned: [{ id: first!.node.id, area: "health" }],
    },
    outcomes: [],
    forgetInteractions: [],
    coreSummary: { text: "A rash.", updatedMs: 1, sourceIds: ["m0"], trace: "{}", facts: coreFacts },
  });
  return person;
}

const kept = [
  ["m0", facts, "health"],
  ["m1", [], null],
];

async function lastingOf(store: Store): Promise<unknown[]> {
  return (await nodesOf(store)).map(({ node: { id, facts: own, pinnedArea } }) => [id, own, pinnedArea]).sort();
}

it("an export has them; imported it says the same", async () => {
  const lines = await exportLines(await remember(new MemoryStore()));
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const memories = parsed.filter(({ type }) => type === "memory");
  expect(memories.map((memory) => [memory["id"], memory["facts"], memory["pinnedArea"]])).toEqual([
    ["m0", facts, "health"],
    ["m1", [], null],
  ]);
  expect(parsed.at(-1)).toMatchObject({ type: "core-summary", facts: coreFacts });
  for (const store of [new MemoryStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = (await openMemories({ store, parameters })).person("ada");
    await person.import(lines);
    expect(await exportLines(person)).toEqual(lines);
    expect(await lastingOf(store)).toEqual(kept);
    expect((await store.load("ada")).coreSummary).toMatchObject({ facts: coreFacts });
  }
});

it("refining keeps the pin; the facts of the old summary are not those of the new one", async () => {
  const store = new LastingStore();
  await remember(store);
  const languageModel = new ScriptedModel(answerWell);
  const refined = (await openMemories({ store, parameters, languageModel })).person("ada");
  expect((await refined.refine()).refinedCount).toBe(2);
  expect(await lastingOf(store)).toEqual([
    ["m0", null, "health"],
    ["m1", null, null],
  ]);
});
