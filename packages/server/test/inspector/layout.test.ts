/** The layout, the model of the graph and the words of the page, without a browser. */
import { describe, expect, it } from "vitest";
import type { GraphView, Memory } from "../../../memory/src/index.js";
import { arrowBetween } from "../../src/inspector/graph/arrows.js";
import { effectiveAges, findWanted, outdatedAt, toModel } from "../../src/inspector/graph/graph-model.js";
import { placeLabel } from "../../src/inspector/graph/labels.js";
import { layOut, spiral, spread } from "../../src/inspector/graph/layout.js";
import { radiusOf } from "../../src/inspector/graph/scene.js";
import { ageRange, directionOf, shorten } from "../../src/inspector/words.js";
import { syntheticMemory } from "./synthetic-memory.mjs";

const dayMs = 86_400_000;

describe("the layout", () => {
  /** Two rings of ten, far from each other in the order of time. */
  const ring = Array.from({ length: 10 }, (_, i) => [i, (i + 1) % 10, 10 + i, 10 + ((i + 1) % 10)]).flat();
  const rings = { nodeCount: 20, ends: Uint32Array.from(ring), weights: new Float32Array(20).fill(0.8) };

  it("is the same every time, and brings together what is connected", () => {
    const positions = [...[...layOut(rings)].at(-1)!];
    expect(positions).toEqual([...[...layOut(rings)].at(-1)!]);
    const distance = (a: number, b: number): number =>
      Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!);
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value) / values.length;
    const along = Array.from({ length: 10 }, (_, i) => distance(i, (i + 1) % 10));
    const between = Array.from({ length: 10 }, (_, i) => distance(i, 10 + i));
    expect(mean(along)).toBeLessThan(0.5 * mean(between));
    expect(Math.min(...along)).toBeGreaterThan(5);
  });

  it("puts large memories further apart, so that the ground between them is seen", () => {
    const positions = spiral(100);
    expect([...spread(positions, new Float32Array(100).fill(4))]).toEqual([...positions]);
    const radii = new Float32Array(100).fill(2 * radiusOf(32));
    const reach = Math.max(...spread(positions, radii).map(Math.abs));
    const covered = radii.reduce((sum, radius) => sum + radius ** 2, 0) / reach ** 2;
    expect(covered).toBeLessThan(0.4);
    expect(covered).toBeGreaterThan(0.25);
    expect([...spread(new Float32Array(2), Float32Array.of(4))]).toEqual([0, 0]);
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

  it("knows ages with boosts, and what was there and outdated, at any time", () => {
    const agesAt = (day: number): number[] => [...effectiveAges(model, day * dayMs)].map((age) => age / dayMs);
    expect(agesAt(25)).toEqual([15, 5, Number.NaN]);
    expect(agesAt(30)).toEqual([16, 6, Number.NaN]);
    expect(agesAt(50)).toEqual([36, 26, 10]);
    expect([...outdatedAt(model, 39 * dayMs)]).toEqual([0, 0, 0]);
    expect([...outdatedAt(model, 40 * dayMs)]).toEqual([1, 0, 0]);
  });

  it("finds by words, time, metadata and kind", () => {
    const find = (more: object): number[] | null => {
      const none = { text: "", state: "", metadata: "", fromMs: null, untilMs: null, kind: "" as const };
      const found = findWanted(model, { ...none, ...more });
      return found === null ? null : [...found];
    };
    expect(find({})).toBeNull();
    expect(find({ text: "ABOUT c" })).toEqual([0, 0, 1]);
    expect(find({ metadata: "tags=y" })).toEqual([0, 1, 0]);
    expect(find({ fromMs: 20 * dayMs, untilMs: 40 * dayMs })).toEqual([0, 1, 0]);
    expect(find({ kind: "outdated" })).toEqual([1, 0, 0]);
    expect(find({ kind: "boosted" })).toEqual([1, 1, 0]);
  });

  it("has arrows that end where the memory begins that they point at", () => {
    const two = toModel({ memories: [syntheticMemory("a", 0), syntheticMemory("b", 1)], edges: [] });
    const { tipX, tipY, ux, uy } = arrowBetween(two, Float32Array.from([0, 0, 120, 0]), 0, 1)!;
    expect(Math.hypot(120 - tipX, tipY)).toBeCloseTo(radiusOf(0) + 2);
    expect(Math.hypot(ux, uy)).toBeCloseTo(1);
    expect(arrowBetween(two, new Float32Array(4), 0, 1)).toBeNull();
  });
});

it("a label avoids memories, hides no other label unless it was asked for, and stays in the picture", () => {
  const dot = (x: number, y: number) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 });
  const wish = { disc: dot(200, 100), textWidth: 80, isForced: false };
  const ground = { width: 400, taken: [], others: [] };
  expect(placeLabel(wish, ground)!.left).toBeGreaterThan(wish.disc.right);
  expect(placeLabel(wish, { ...ground, others: [dot(250, 100)] })!.right).toBeLessThan(wish.disc.left);
  const wall = { left: 0, right: 400, top: 0, bottom: 400 };
  expect(placeLabel(wish, { ...ground, taken: [wall] })).toBeNull();
  expect(placeLabel({ ...wish, isForced: true }, { ...ground, taken: [wall] })).not.toBeNull();
  for (const disc of [dot(5, 100), dot(395, 100)]) {
    const { left, right } = placeLabel({ ...wish, disc }, ground)!;
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(400);
  }
});

it.each([
  ["three hours and ten minutes", 23, "three hours and ten…"],
  ["a".repeat(40), 20, `${"a".repeat(19)}…`],
  ["Her recliner. And more.", 17, "Her recliner…"],
  ["short", 5, "short"],
  ["🎻".repeat(20), 10, `${"🎻".repeat(4)}…`],
  [`to 👩\u200D👩\u200D👧\u200D👦 and`, 8, "to…"],
])("%s is cut between words and never within a character", (text, lengthMax, cut) => {
  expect(shorten(text, lengthMax)).toBe(cut);
});

it("ages are said as a range, and the direction of a text is that of its first letter", () => {
  expect(ageRange(0, 0)).toBe("all less than a day");
  expect(ageRange(3 * dayMs, 85 * dayMs)).toBe("3 to 85 days");
  expect(ageRange(dayMs, 1_000 * dayMs)).toBe("1 day to 2.7 years");
  expect(directionOf("🎻 1. أنا أعيش in Lisbon")).toBe("rtl");
  expect(directionOf("In בתל אביב")).toBe("ltr");
});
