/** Pruning chooses between memories; how long ago the last one was makes no difference to the choice. */
import { expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";

const dayMs = 86_400_000;
const startMs = Date.parse("2025-03-03T09:00:00Z");

async function prunedAfterPause(days: number): Promise<string[]> {
  let nowMs = startMs;
  const memories = await openMemories({
    path: ":memory:",
    clock: { nowMs: () => nowMs },
    parameters: { redundancyThreshold: 10 },
  });
  const person = memories.person("ada");
  const commit = async (id: string, day: number, summary: string): Promise<void> => {
    nowMs = startMs + day * dayMs;
    await person.commit({ id, at: nowMs, summary });
    await person.settled();
  };
  await commit("stale", 0, "The knee bends to ninety degrees after the exercises.");
  await commit("stale too", 1, "The knee bends to ninety degrees after more exercises.");
  await commit("fresh and alone", 90, "Marta bakes bread for the choir.");
  nowMs += days * dayMs;
  const { pruned } = await person.prune({ memoryCountMax: 1 });
  return pruned.map(({ id }) => id);
}

it("a fresh lone memory outlives stale connected ones, at once and after a pause of two years", async () => {
  expect(await prunedAfterPause(0)).toEqual(["stale", "stale too"]);
  expect(await prunedAfterPause(730)).toEqual(["stale", "stale too"]);
});
