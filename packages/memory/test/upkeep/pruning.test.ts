/** Pruning: by whose age and from which moment memories are scored, and what is left of those that go. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { findViolations } from "../../src/graph/graph-violations.js";
import { endersOf } from "../../src/graph/holding.js";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import { decay } from "../../src/paper/decay.js";
import { pruningOrder } from "../../src/paper/pruning-score.js";
import { removeMemories } from "../../src/upkeep/pruning.js";
import { parseParameters } from "../../src/parameters.js";
import { openMemories } from "../durability/opened-memories.js";
import { type NodeSketch, buildGraph, daysAgo, endOf, factOf, nowMs as graphMs } from "../graph/graph-fixtures.js";

const dayMs = 86_400_000;
const startMs = Date.parse("2025-01-01T10:00:00Z");
const tau = (days: number): number => decay(days * dayMs, parseParameters());

async function remember(
  texts: Record<string, readonly [day: number, text: string]>,
  nowMs: number,
  parameters: Record<string, number> = {},
): Promise<PersonMemory> {
  const clock = { nowMs: () => nowMs };
  const memories = await openMemories({ path: ":memory:", clock, parameters });
  const person = memories.person("ada");
  for (const [id, [day, summary]] of Object.entries(texts)) {
    await person.commit({ id, summary, at: startMs + day * dayMs });
  }
  await person.settled();
  return person;
}

const strangers = {
  oldest: [0, "Plums ripened early."],
  middle: [28, "Trains were late at Graz."],
  newest: [56, "Violins need other strings."],
} as const;

it("a memory is scored by its own age and its best edge, not by its neighbour's age", async () => {
  const texts = {
    old: [0, "The knee wound was red and warm near the clips."],
    young: [28, "The knee wound was red and warm near the stitches."],
    newest: [56, "Violins need other strings."],
  } as const;
  const person = await remember(texts, startMs + 56 * dayMs, { redundancyThreshold: 10 });
  const { edges } = await person.graph();
  expect(edges.map(({ a, b }) => [a, b])).toEqual([["old", "young"]]);
  const [{ weight }] = edges as [(typeof edges)[0]];
  const { pruned } = await person.prune({ memoryCountMax: 1 });
  expect(pruned).toEqual([
    { id: "old", score: weight * tau(56) },
    { id: "young", score: weight * tau(28) },
  ]);
});

it("a limit on bytes counts alone and beside one on memories, and 0 is no limit", async () => {
  const nowMs = startMs + 60 * dayMs;
  const person = await remember(strangers, nowMs);
  const { bytesInMemory } = await person.statistics();
  expect((await person.prune({ memoryBytesMax: bytesInMemory })).pruned).toEqual([]);
  expect((await person.prune({ memoryCountMax: 3, memoryBytesMax: bytesInMemory })).pruned).toEqual([]);
  const { pruned, byteCount } = await person.prune({ memoryCountMax: 3, memoryBytesMax: bytesInMemory - 1 });
  expect(pruned.map(({ id }) => id)).toEqual(["oldest"]);
  expect(byteCount).toBeLessThan(bytesInMemory);
  // The limits of a call take the place of those of the parameters, none of them too.
  const limited = await remember(strangers, nowMs, { memoryCountMax: 2 });
  expect((await limited.list()).map(({ id }) => id)).toEqual(["middle", "newest"]);
  expect((await limited.prune({ memoryCountMax: 0 })).pruned).toEqual([]);
  expect((await limited.prune({ memoryCountMax: 1 })).pruned.map(({ id }) => id)).toEqual(["middle"]);
});

it("the other half of a pair that stays is released, and a pair that goes together is not named", async () => {
  const twice = "Ada plays the violin in the harbour orchestra every Friday evening with her friends.";
  const texts = { first: [0, twice], second: [1, twice], third: [40, "Plums ripened early."] } as const;
  const person = await remember(texts, startMs + 60 * dayMs);
  expect((await person.get("first")).pairId).toBe("second");
  expect((await person.prune({ memoryCountMax: 2 })).pruned.map(({ id }) => id)).toEqual(["second"]);
  expect((await person.get("first")).pairId).toBeNull();
  const both = await remember(texts, startMs + 60 * dayMs);
  expect((await both.prune({ memoryCountMax: 1 })).pruned.map(({ id }) => id)).toEqual(["second", "first"]);
  expect(await both.check()).toEqual([]);
});

const pauseStartMs = Date.parse("2025-03-03T09:00:00Z");

async function prunedAfterPause(days: number): Promise<string[]> {
  let nowMs = pauseStartMs;
  const memories = await openMemories({
    path: ":memory:",
    clock: { nowMs: () => nowMs },
    parameters: { redundancyThreshold: 10 },
  });
  const person = memories.person("ada");
  const commit = async (id: string, day: number, summary: string): Promise<void> => {
    nowMs = pauseStartMs + day * dayMs;
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

describe("what ended", () => {
  const orderOf = (graph: MemoryGraph): string[] => pruningOrder(graph, graphMs, parseParameters()).map(({ id }) => id);
  const graphOf = (...nodes: NodeSketch[]): MemoryGraph => buildGraph({ nodes, edges: [] });
  const [graz, tea, vienna] = ["I live in Graz.", "I drink tea.", "I live in Vienna."].map((text) => factOf(text)) as [
    ReturnType<typeof factOf>,
    ReturnType<typeof factOf>,
    ReturnType<typeof factOf>,
  ];

  it("as a whole goes before what holds, however strong it is", () => {
    const nodes = [
      { id: "weak", initMs: daysAgo(80) },
      { id: "strong but outdated", initMs: daysAgo(2) },
      { id: "newest", initMs: daysAgo(1), ends: ["strong but outdated"] },
    ];
    expect(orderOf(graphOf(...nodes))).toEqual(["strong but outdated", "weak", "newest"]);
  });

  it("in part goes before what ended it, even if that is weaker", () => {
    const nodes: NodeSketch[] = [
      { id: "other", initMs: daysAgo(70) },
      { id: "both", initMs: daysAgo(60), statements: [graz, tea] },
      { id: "moved", initMs: daysAgo(50), statements: [vienna], ends: [endOf("both", 0, 0)] },
    ];
    expect(orderOf(graphOf(...nodes))).toEqual(["other", "both", "moved"]);
    const graph = graphOf(...nodes.with(1, { ...nodes[1]!, pairId: "again" }), {
      id: "again",
      initMs: daysAgo(1),
      pairId: "both",
      statements: [tea],
    });
    expect(orderOf(graph)).toEqual(["other", "again", "both", "moved"]);
  });

  it("comes back at no limit, and the graph stays sound", () => {
    const place = fc.nat({ max: 2 });
    const memories = fc.array(
      fc.record({
        days: fc.integer({ min: 0, max: 90 }),
        links: fc.array(fc.tuple(fc.nat({ max: 7 }), fc.option(place), place), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(memories, fc.nat(), (list, pick) => {
        const sorted = list.toSorted((x, y) => y.days - x.days);
        const graph = graphOf(
          ...sorted.map(({ days, links }, i) => ({
            id: `m${i}`,
            initMs: daysAgo(days),
            statements: [graz, tea, vienna],
            ends: links.filter(([older]) => older < i).map(([older, position, by]) => endOf(`m${older}`, position, by)),
          })),
        );
        const endedIn = (): string[] =>
          [...graph.nodes()].flatMap((node) =>
            [0, 1, 2].filter((i) => endersOf(node, i, graph).length > 0).map((i) => `${node.id} ${i}`),
          );
        const before = endedIn();
        const order = orderOf(graph);
        expect(order.toSorted()).toEqual([...graph.nodes()].map(({ id }) => id).sort());
        const pruned = new Set(order.slice(0, pick % (sorted.length + 1)));
        graph.apply(removeMemories([...pruned], graph));
        expect(findViolations(graph, 10)).toEqual([]);
        expect(endedIn()).toEqual(before.filter((name) => !pruned.has(name.split(" ")[0]!)));
      }),
    );
  });

  it("of a pinned memory stays ended: what ended it is not pruned either", async () => {
    const person = await remember(
      { first: [0, "Plums ripened early."], second: [1, "Trains were late at Graz."] },
      startMs + 9 * dayMs,
    );
    await person.pin("first#0");
    await person.commit({ id: "third", summary: "No.", at: startMs + 2 * dayMs, keep: true, updates: "first#0" });
    await person.settled();
    expect((await person.prune({ memoryCountMax: 1 })).pruned.map(({ id }) => id)).toEqual(["second"]);
    expect((await person.get("first")).outdatedBy).toEqual(["third"]);
  });
});
