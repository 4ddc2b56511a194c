/** The pieces of the baselines, against numbers worked out by hand. */
import { estimateTokens } from "../../../../memory/src/core/text/tokens.js";
import { fuseRankings } from "../../../src/systems/baselines.js";
import { formatDate, writeBlocks } from "../../../src/systems/baseline-context.js";
import { Bm25Index } from "../../../src/systems/bm25.js";
import { VectorIndex, memoriesOf } from "../../../src/systems/vector-index.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";

describe("BM25", () => {
  it("of a term twice in one of two texts of mean length: ln(2) · 2 · 2.2 / (2 + 1.2) = 0.95308", () => {
    const index = new Bm25Index();
    index.add("a", "parrot harbour");
    index.add("b", "boat boat");
    const found = index.search("Which boat?");
    expect(found.map(({ id }) => id)).toEqual(["b"]);
    expect(found[0]!.score).toBeCloseTo(0.95308, 5);
  });

  it("prefers the shorter of two texts: of lengths 1 and 3, dampings 1.2 · 0.625 and 1.2 · 1.375", () => {
    const index = new Bm25Index();
    index.add("long", "boat parrot harbour");
    index.add("short", "boat");
    const rarity = Math.log(1 + 0.5 / 2.5);
    expect(index.search("boat")).toEqual([
      { id: "short", score: expect.closeTo((rarity * 2.2) / (1 + 1.2 * 0.625), 9) as number },
      { id: "long", score: expect.closeTo((rarity * 2.2) / (1 + 1.2 * 1.375), 9) as number },
    ]);
  });

  it("finds nothing in nothing", () => expect(new Bm25Index().search("boat")).toEqual([]));
});

describe("rank fusion", () => {
  it("b in second and first place (1/62 + 1/61) is before a in first (1/61)", () => {
    expect(fuseRankings([["a", "b"], ["b"]])).toEqual(["b", "a"]);
  });

  it("keeps one ranking as it is", () => expect(fuseRankings([["c", "a", "b"], []])).toEqual(["c", "a", "b"]));
});

describe("vector search", () => {
  it("ranks by cosine, regardless of length; a memory is as good as its best passage", async () => {
    const index = new VectorIndex(new HashingEmbedder());
    await index.add([
      { memoryId: "m1", text: "parrot harbour" },
      { memoryId: "m2", text: "my boat leaks" },
      { memoryId: "m1", text: "boat boat boat" },
    ]);
    const found = await index.search("boat");
    expect(found[0]!.text).toBe("boat boat boat");
    expect(memoriesOf(found)).toEqual(["m1", "m2"]);
  });
});

describe("a context", () => {
  const blocks = [
    { heading: "[one]", lines: ["a: first words", "b: more words"] },
    { heading: "[two]", lines: ["a: last words"] },
  ];

  it("has whole lines in order, each block under its heading", () => {
    expect(writeBlocks(blocks, 1_000).text).toBe("[one]\na: first words\nb: more words\n[two]\na: last words");
  });

  it("ends with the last line that fits, and has no heading without lines", () => {
    expect(writeBlocks(blocks, 8).text).toBe("[one]\na: first words");
    const upToSecond = estimateTokens("[one]\na: first words\nb: more words");
    expect(writeBlocks(blocks, upToSecond).text).toBe("[one]\na: first words\nb: more words");
    expect(writeBlocks(blocks, 2)).toEqual({ text: "", tokenCount: 0 });
  });

  it("never exceeds its budget, and never has less with a larger one", () => {
    const lines = fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.nat(200), (some, budget) => {
        const text = (tokens: number): string => writeBlocks([{ heading: null, lines: some }], tokens).text;
        expect(estimateTokens(text(budget))).toBeLessThanOrEqual(budget);
        expect(text(budget + 10).startsWith(text(budget))).toBe(true);
      }),
    );
  });

  it("has dates in the person's time zone", () => {
    const ms = Date.UTC(2025, 0, 8, 23, 30);
    expect(formatDate(ms, "UTC")).toBe("Wed 8 Jan 2025");
    expect(formatDate(ms, "Asia/Tokyo")).toBe("Thu 9 Jan 2025");
  });
});
