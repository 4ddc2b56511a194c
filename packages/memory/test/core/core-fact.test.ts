/** Facts as a memory gives them, as they are read from a store that anybody may have written, and without forgotten ones. */
import { describe, expect, it } from "vitest";
import {
  type CoreFact,
  factsOf,
  factsWithout,
  readCoreFacts,
  sourcesOf,
} from "../../src/core/core-fact.js";
import { fact, startMs } from "./core-facts.js";

const home = { text: "I live in Graz.", area: "home", probability: 0.9 };
const boat = { text: "Perhaps a boat.", area: "plans", probability: 0.6 };
const node = {
  id: "m",
  initMs: startMs,
  pairId: null,
  summaryText: "user: Graz, and perhaps a boat.",
  state: null,
  keywords: [],
  hypotheticalQuery: "",
  questions: [],
  statements: [],
  updates: [],
  facts: [home, boat],
  pinnedArea: null,
  metadata: {},
  expiresMs: null,
};
describe("of a memory", () => {
  it("what is clearly vital enters, or all that lasts if it is central", () => {
    expect(factsOf(node, false)).toEqual([fact("m", home.text, { probability: 0.9 })]);
    expect(factsOf(node, true).map(({ text }) => text)).toEqual([home.text, boat.text]);
    expect(factsOf({ ...node, facts: null }, false)).toEqual([]);
  });

  it("what is pinned is that of the area, else the surest, else its summary", () => {
    const pinnedTo = (area: string, facts: typeof node.facts | null = node.facts) =>
      factsOf({ ...node, pinnedArea: area, facts }, false).map((each) => [each.text, each.area, each.isPinned]);
    expect(pinnedTo("plans")).toEqual([
      [boat.text, "plans", true],
      [home.text, "home", false],
    ]);
    expect(pinnedTo("Worries")).toEqual([[home.text, "Worries", true]]);
    for (const facts of [[], null]) {
      expect(pinnedTo("Worries", facts)).toEqual([["Graz, and perhaps a boat.", "Worries", true]]);
    }
  });

  it("that made another outdated, its only fact says so", () => {
    const newer = { ...node, updates: ["old"] };
    expect(factsOf({ ...newer, facts: [home] }, false)[0]!.isChange).toBe(true);
    expect(factsOf(newer, false)[0]!.isChange).toBe(false);
  });
});

it("what is no fact is not read", () => {
  const left = { untilMs: startMs, reason: "outdated" as const, byId: "b" };
  const good = [fact("a", "Graz."), fact("a", "Vienna.", { sinceMs: 1, left })];
  const { text: _, ...nameless } = good[0]!;
  const bad = [
    null,
    7,
    "x",
    nameless,
    { ...good[0], toldMs: "x" },
    { ...good[0], toldMs: 1e300 },
    { ...good[0], left: 7 },
  ];
  expect(readCoreFacts({ facts: JSON.stringify([...bad, ...good]) })).toEqual(good);
  expect(readCoreFacts(null)).toEqual([]);
});

it("what is forgotten is named nowhere, neither as a source nor as what took a place", () => {
  const left = { untilMs: startMs, reason: "told again" as const, byId: "b" };
  const facts = [fact("a", "Graz.", { left }), fact("b", "Graz still."), fact("c", "Plums.")];
  expect(sourcesOf(facts)).toEqual(["a", "b", "b", "c"]);
  expect(factsWithout(new Set(["b"]), facts)).toEqual([
    fact("a", "Graz.", { left: { ...left, byId: null } }),
    fact("c", "Plums."),
  ]);
});

it("with what was before it forgotten, a fact no longer says that something else was true", () => {
  const left = { untilMs: startMs, reason: "outdated" as const, byId: "b" };
  const [before, now] = [fact("a", "Graz.", { left }), fact("b", "Vienna.", { isChange: true })];
  const changes = (facts: readonly CoreFact[]) => factsWithout(new Set(["a"]), facts).map(({ isChange }) => isChange);
  expect(changes([before, now])).toEqual([false]);
  expect(changes([before, fact("c", "Linz.", { left }), now])).toEqual([false, true]);
  expect(changes([fact("a", "Plums."), now])).toEqual([true]);
});
