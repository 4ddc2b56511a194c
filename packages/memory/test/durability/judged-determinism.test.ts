/** With a judge, too, the same inputs give the same memory, links included, and the same answers. */
import type { Judge, PersonMemory, Relation, Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { linksOf } from "../engine/linked-memories.js";
import { ScriptedJudge } from "../engine/scripted-judge.js";
import { exportLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { interactionAt, nowMs } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const parameters = {
  relationCosineMin: -1,
  updateCosineMin: -1,
  coreSummaryIntervalCommits: 5,
};

/** Verdicts by chance, the same for the same texts. */
function createChanceJudge(): Judge {
  const draw = (...texts: string[]): number => seededRandom(texts.join("\n"))();
  const kinds: readonly (keyof Relation)[] = ["repetition", "update", "different", "different", "different"];
  return new ScriptedJudge({
    substance: (text) => draw("substance", text),
    relation: ({ older, newer }) => kinds[Math.floor(draw("relation", older, newer) * kinds.length)]!,
    relevance: (question, statement) => draw("relevance", question, statement),
  });
}

async function liveThrough(person: PersonMemory): Promise<void> {
  // Many arrive after what followed them.
  const order = Array.from({ length: 50 }, (_, i) => i).toSorted((x, y) => (x ^ 3) - (y ^ 3));
  for (const position of order) await person.commit(interactionAt(position));
  await person.settled();
}

async function tellAll(person: PersonMemory): Promise<string> {
  const recalls = [];
  for (const [i, query] of ["How is the knee?", "What did Marta tell before?", "And in July 2025?"].entries()) {
    recalls.push(await person.recall(query, { at: nowMs, seed: i }));
  }
  return JSON.stringify({ recalls, exported: await exportLines(person), links: await linksOf(person) });
}

it("whatever the store, and after another opening", async () => {
  const stores: (() => Promise<Store>)[] = [
    async () => new MemoryStore(),
    () => SqliteStore.open({ path: scratch.next() }),
  ];
  const results: string[] = [];
  for (const openStore of stores) {
    const memories = await openMemories({ store: await openStore(), judge: createChanceJudge(), parameters });
    const person = memories.person("ada");
    await liveThrough(person);
    expect(Object.keys(await linksOf(person)).length).toBeGreaterThan(3);
    const outcomes = new Set((await person.history()).map(({ outcome }) => outcome));
    expect([...outcomes]).toEqual(expect.arrayContaining(["committed", "paired"]));
    expect(await person.check()).toEqual([]);
    results.push(await tellAll(person), await tellAll(person));
  }
  expect(new Set(results).size).toBe(1);

  const path = scratch.next();
  const first = await openMemories({ path, judge: createChanceJudge(), parameters });
  await liveThrough(first.person("ada"));
  await first.close();
  const second = await openMemories({ path, judge: createChanceJudge(), parameters });
  expect(await tellAll(second.person("ada"))).toBe(results[0]);
});
