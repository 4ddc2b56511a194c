/** The layout and the model of the graph, without a browser. */
import { describe, expect, it } from "vitest";
import type { GraphView, HistoryItem, Memory } from "../../../memory/src/index.js";
import { arrowBetween, bendsOf } from "../../src/inspector/graph/arrows.js";
import { findGone } from "../../src/inspector/graph/gone.js";
import { effectiveAges, findWanted, isThere, outdatedAt, toModel } from "../../src/inspector/graph/graph-model.js";
import { placeLabel } from "../../src/inspector/graph/labels.js";
import { layOut, spiral, spread } from "../../src/inspector/graph/layout.js";
import { radiusOf } from "../../src/inspector/graph/scene.js";
import { ageRange, directionOf, shorten, withoutSpeaker } from "../../src/inspector/words.js";
import { syntheticMemory } from "./synthetic-memory.mjs";

const dayMs = 86_400_000;

/** Two rings of ten, far from each other in the order of time. */
function twoRings(): { nodeCount: number; ends: Uint32Array; weights: Float32Array } {
  const ends = Array.from({ length: 10 }, (_, i) => [i, (i + 1) % 10, 10 + i, 10 + ((i + 1) % 10)]).flat();
  return { nodeCount: 20, ends: Uint32Array.from(ends), weights: new Float32Array(20).fill(0.8) };
}

function laidOut(input: ReturnType<typeof twoRings>): number[] {
  return [...[...layOut(input)].at(-1)!];
}

describe("the layout", () => {
  it("is the same every time, and finite", () => {
    const positions = laidOut(twoRings());
    expect(positions).toEqual(laidOut(twoRings()));
    expect(positions.every(Number.isFinite)).toBe(true);
  });

  it("brings together what is connected", () => {
    const positions = laidOut(twoRings());
    const distance = (a: number, b: number): number =>
      Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!);
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value) / values.length;
    const along = Array.from({ length: 10 }, (_, i) => distance(i, (i + 1) % 10));
    const between = Array.from({ length: 10 }, (_, i) => distance(i, 10 + i));
    expect(mean(along)).toBeLessThan(0.5 * mean(between));
    expect(Math.min(...along)).toBeGreaterThan(5);
  });

  it("keeps apart memories that are connected with nothing", () => {
    const positions = laidOut({ nodeCount: 50, ends: new Uint32Array(), weights: new Float32Array() });
    const places = new Set(
      Array.from(
        { length: 50 },
        (_, i) => `${Math.round(positions[2 * i]! / 4)} ${Math.round(positions[2 * i + 1]! / 4)}`,
      ),
    );
    expect(places.size).toBe(50);
  });

  it("puts large memories further apart, so that the ground between them is seen", () => {
    const positions = spiral(100);
    expect([...spread(positions, new Float32Array(100).fill(4))]).toEqual([...positions]);
    const radii = new Float32Array(100).fill(2 * radiusOf(32));
    const apart = spread(positions, radii);
    const reach = Math.max(...apart.map(Math.abs));
    const covered = radii.reduce((sum, radius) => sum + radius ** 2, 0) / reach ** 2;
    expect(covered).toBeLessThan(0.4);
    expect(covered).toBeGreaterThan(0.25);
    expect([...spread(new Float32Array(), new Float32Array())]).toEqual([]);
    expect([...spread(new Float32Array(2), Float32Array.of(4))]).toEqual([0, 0]);
  });

  it("has nothing to do without memories", () => {
    expect(laidOut({ nodeCount: 0, ends: new Uint32Array(), weights: new Float32Array() })).toEqual([]);
  });
});

describe("the model", () => {
  const memory = (id: string, day: number, more: Partial<Memory> = {}): Memory =>
    syntheticMemory(id, day * dayMs, { edgeCount: 1, ...more });
  const view: GraphView = {
    memories: [
      memory("a", 10, { outdatedBy: ["c"] }),
      memory("b", 20, { metadata: { agent: "x", tags: ["y"] } }),
      memory("c", 40),
    ],
    edges: [{ a: "a", b: "b", weight: 0.6, boostMs: 4 * dayMs, boostedMs: 30 * dayMs }],
  };
  const model = toModel(view);
  const agesAt = (day: number): number[] => [...effectiveAges(model, day * dayMs)].map((age) => age / dayMs);

  it("takes a boost off an age from the day of the boost on, and knows what was not there yet", () => {
    expect(agesAt(25)).toEqual([15, 5, Number.NaN]);
    expect(agesAt(30)).toEqual([16, 6, Number.NaN]);
    expect(agesAt(50)).toEqual([36, 26, 10]);
  });

  it("knows what was outdated by then", () => {
    expect([...outdatedAt(model, 39 * dayMs)]).toEqual([0, 0, 0]);
    expect([...outdatedAt(model, 40 * dayMs)]).toEqual([1, 0, 0]);
  });

  it("has what was pruned until the newest came, and what that had made outdated", () => {
    const trace = { outcome: "pruned", pruningScore: 0.1, updates: ["b"] } as const;
    const item = {
      ...memory("p", 25),
      outcome: "pruned",
      reason: "pruned",
      turns: [],
      trace,
    } as unknown as HistoryItem;
    const gone = findGone(view, [item], new Map());
    const seen = (day: number): boolean[] => [0, 1, 2, 3].map((i) => isThere(toModel(view, gone), i, day * dayMs));
    expect(seen(24)).toEqual([true, true, false, false]);
    expect(seen(39)).toEqual([true, true, false, true]);
    expect(seen(40)).toEqual([true, true, true, false]);
    expect([...outdatedAt(toModel(view, gone), 39 * dayMs)]).toEqual([0, 1, 0, 0]);
    expect([...outdatedAt(toModel(view, gone), 40 * dayMs)]).toEqual([1, 0, 0, 0]);
    expect(findGone(view, [item], new Map([["p", "b"]]))[0]!.untilMs).toBe(20 * dayMs);
  });

  it("has what was replaced until what replaced it came, in the words that were said", () => {
    const item = {
      ...memory("r", 5),
      summary: null,
      outcome: "replaced",
      reason: "replaced by b",
      turns: [
        { who: "user", text: "I own a kayak." },
        { who: "user", text: "It is red." },
      ],
      trace: { outcome: "replaced", by: "b" },
    } as unknown as HistoryItem;
    const [gone] = findGone(view, [item], new Map([["r", "a"]]));
    expect(gone!.untilMs).toBe(20 * dayMs);
    expect(gone!.memory).toMatchObject({ id: "r", summary: "I own a kayak. It is red.", updates: [] });
    expect(gone).toMatchObject({ outcome: "replaced", reason: "replaced by b" });
  });

  it("finds by metadata, time, kind and words together", () => {
    const all = { text: "", state: "", metadata: "", fromMs: null, untilMs: null, kind: "" } as const;
    expect(findWanted(model, all)).toBeNull();
    expect([...findWanted(model, { ...all, metadata: "tags=y" })!]).toEqual([0, 1, 0]);
    expect([...findWanted(model, { ...all, kind: "outdated" })!]).toEqual([1, 0, 0]);
    expect([...findWanted(model, { ...all, kind: "boosted", text: "ABOUT a" })!]).toEqual([1, 1, 0]);
    expect([...findWanted(model, { ...all, fromMs: 20 * dayMs, untilMs: 40 * dayMs })!]).toEqual([0, 1, 0]);
  });
});

describe("the arrow to what replaced a memory", () => {
  /** "old" at the left, "new" at the right, and others at the given places. */
  const bendWith = (...others: readonly (readonly [number, number])[]): { bend: number; distances: number[] } => {
    const model = toModel({
      memories: [
        syntheticMemory("old", 0, { outdatedBy: ["new"] }),
        syntheticMemory("new", 1),
        ...others.map((_, i) => syntheticMemory(`other-${i}`, 2)),
      ],
      edges: [],
    });
    const positions = Float32Array.from([[0, 0], [120, 0], ...others].flat());
    const [bend] = bendsOf(model, positions);
    const { x, y, controlX, controlY, tipX, tipY } = arrowBetween(model, positions, 0, 1, bend!)!;
    const points = Array.from({ length: 101 }, (_, i) => {
      const [s, t] = [1 - i / 100, i / 100];
      return [
        s * s * x + 2 * s * t * controlX + t * t * tipX,
        s * s * y + 2 * s * t * controlY + t * t * tipY,
      ] as const;
    });
    const distances = others.map(([ox, oy]) => Math.min(...points.map(([px, py]) => Math.hypot(px - ox, py - oy))));
    return { bend: bend!, distances };
  };
  const radius = radiusOf(0);

  it("is bent a little, so that an edge between the two is seen beside it", () => {
    expect(bendWith().bend).toBeCloseTo(0.18);
  });

  it("goes round what lies between, on the side that is free", () => {
    expect(bendWith([60, 0]).distances[0]).toBeGreaterThan(radius);
    const { bend, distances } = bendWith([60, 0], [60, 11], [40, 10]);
    expect(bend).toBeLessThan(0);
    expect(Math.min(...distances)).toBeGreaterThan(radius);
  });

  it("ends where the memory begins that it points at", () => {
    const model = toModel({ memories: [syntheticMemory("a", 0), syntheticMemory("b", 1)], edges: [] });
    const { tipX, tipY, ux, uy } = arrowBetween(model, Float32Array.from([0, 0, 120, 0]), 0, 1, 0.18)!;
    expect(Math.hypot(120 - tipX, tipY)).toBeCloseTo(radius + 2);
    expect(Math.hypot(ux, uy)).toBeCloseTo(1);
    expect(arrowBetween(model, new Float32Array(4), 0, 1, 0.18)).toBeNull();
  });
});

describe("a label", () => {
  const dot = (x: number, y: number): { left: number; right: number; top: number; bottom: number } => ({
    left: x - 8,
    right: x + 8,
    top: y - 8,
    bottom: y + 8,
  });
  const wish = { disc: dot(200, 100), textWidth: 80, isForced: false };
  const ground = { width: 400, taken: [], others: [] };

  it("is to the right, and on the other side where a memory without a label would be under it", () => {
    expect(placeLabel(wish, ground)!.left).toBeGreaterThan(wish.disc.right);
    expect(placeLabel(wish, { ...ground, others: [dot(250, 100)] })!.right).toBeLessThan(wish.disc.left);
    const around = [dot(250, 100), dot(150, 100), dot(200, 84)];
    expect(placeLabel(wish, { ...ground, others: around })!.top).toBeGreaterThanOrEqual(wish.disc.bottom);
  });

  it("hides some where it cannot be helped, but no other label, unless somebody asked for it", () => {
    const everywhere = [dot(250, 100), dot(150, 100), dot(200, 84), dot(200, 116), dot(250, 84), dot(150, 116)];
    expect(placeLabel(wish, { ...ground, others: everywhere })).not.toBeNull();
    const wall = { left: 0, right: 400, top: 0, bottom: 400 };
    expect(placeLabel(wish, { ...ground, taken: [wall] })).toBeNull();
    expect(placeLabel({ ...wish, isForced: true }, { ...ground, taken: [wall] })).not.toBeNull();
  });

  it("stays in the picture", () => {
    const places = [dot(5, 100), dot(395, 100)].map((disc) => placeLabel({ ...wish, disc }, ground)!);
    for (const { left, right } of places) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(400);
    }
  });
});

it("a text is cut between words, unless a word is too long for that", () => {
  expect(shorten("three hours and ten minutes", 23)).toBe("three hours and ten…");
  expect(shorten("three hours and ten minutes", 20)).toBe("three hours and ten…");
  expect(shorten("a".repeat(40), 20)).toBe(`${"a".repeat(19)}…`);
  expect(shorten(`so ${"a".repeat(40)}`, 30)).toBe(`so ${"a".repeat(26)}…`);
  expect(shorten("Her recliner. And more.", 20)).toBe("Her recliner. And…");
  expect(shorten("Her recliner. And more.", 17)).toBe("Her recliner…");
  expect(shorten("short", 5)).toBe("short");
  expect(shorten("user: Donaudampfschifffahrt", 22)).toBe("user: Donaudampfschif…");
});

it("a text is not cut within what is seen as one character", () => {
  expect(shorten("🎻".repeat(20), 10)).toBe(`${"🎻".repeat(4)}…`);
  expect(shorten(`to 👩\u200D👩\u200D👧\u200D👦 and`, 8)).toBe("to…");
  expect(shorten(`${"e\u0301".repeat(10)}`, 10)).toBe(`${"e\u0301".repeat(4)}…`);
  expect(shorten("x".repeat(5) + "\u0301".repeat(90), 50).length).toBeLessThanOrEqual(50);
});

it("who speaks is left out where everybody knows", () => {
  expect(withoutSpeaker("user: I live in Lisbon.")).toBe("I live in Lisbon.");
  expect(withoutSpeaker("assistant: You live in Lisbon.")).toBe("assistant: You live in Lisbon.");
  expect(withoutSpeaker("user: ")).toBe("user: ");
});

it("ages are said as a range, without days of nothing", () => {
  expect(ageRange(0, 0)).toBe("all less than a day");
  expect(ageRange(0.2 * dayMs, 85 * dayMs)).toBe("0 to 85 days");
  expect(ageRange(3 * dayMs, 3.1 * dayMs)).toBe("all 3 days");
  expect(ageRange(dayMs, 1_000 * dayMs)).toBe("1 day to 2.7 years");
  expect(ageRange(3 * dayMs, 85 * dayMs)).toBe("3 to 85 days");
});

it("the direction of a text is that of its first letter", () => {
  expect(directionOf("🎻 1. أنا أعيش in Lisbon")).toBe("rtl");
  expect(directionOf("In בתל אביב")).toBe("ltr");
  expect(directionOf("אני גר")).toBe("rtl");
  expect(directionOf("123 …")).toBe("ltr");
});
