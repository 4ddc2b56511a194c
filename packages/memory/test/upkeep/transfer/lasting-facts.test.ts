/** Facts and pins through everything that moves memories: exported, imported, refined, embedded again. */
import { type PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { alterLines, exportLines, parseLines } from "../../durability/export-lines.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";
import { ScriptedModel, answerWell } from "../../engine/scripted-model.js";

const scratch = new ScratchFolder();
const parameters = { redundancyThreshold: 10 };
const coreFacts = '[{"area":"health","text":"A rash."}]';
const coreSummary = { text: "A rash.", updatedMs: 1, sourceIds: ["m0"], trace: "{}", facts: coreFacts };
const facts = [{ text: "Ada", area: "health", probability: 0.75 }];

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

/** Two memories: the first with facts and a pin, the second judged to have none; and a core summary with facts. */
async function linesWithFacts(): Promise<string[]> {
  const person = (await openMemories({ store: new MemoryStore(), parameters })).person("ada");
  const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
  for (const i of [0, 1]) await person.commit({ id: `m${i}`, turns, at: Date.UTC(2025, 0, 1 + i) });
  await person.settled();
  return alterLines(await exportLines(person), ({ nodes: [first, second] }) => ({
    coreSummary,
    nodes: [
      { ...first!, node: { ...first!.node, facts, pinnedArea: "health" } },
      { ...second!, node: { ...second!.node, facts: [] } },
    ],
  }));
}

async function lastingOf(person: PersonMemory): Promise<unknown[]> {
  const { nodes } = parseLines(await exportLines(person));
  return nodes.map(({ node: { id, facts: own, pinnedArea } }) => [id, own, pinnedArea]);
}

it("an export has them; imported it says the same", async () => {
  const lines = await linesWithFacts();
  for (const store of [new MemoryStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = (await openMemories({ store, parameters })).person("ada");
    await person.import(lines);
    expect(await exportLines(person)).toEqual(lines);
    expect(await lastingOf(person)).toEqual([
      ["m0", facts, "health"],
      ["m1", [], null],
    ]);
    expect(parseLines(await exportLines(person))).toMatchObject({ coreSummary });
  }
});

it("refining keeps the pin; the facts of the old summary are not those of the new one", async () => {
  const store = new LastingStore();
  await (await openMemories({ store, parameters })).person("ada").import(await linesWithFacts());
  const languageModel = new ScriptedModel(answerWell);
  const refined = (await openMemories({ store, parameters, languageModel })).person("ada");
  expect((await refined.refine()).refinedCount).toBe(2);
  expect(await lastingOf(refined)).toEqual([
    ["m0", null, "health"],
    ["m1", null, null],
  ]);
});
