import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Postings } from "../../src/text/postings.js";

describe("postings", () => {
  it("count how often a key holds a term", () => {
    const postings = new Postings();
    expect(postings.put(7, ["knee", "pain", "knee"])).toBe(2);
    postings.put(3, ["pain"]);
    expect(listOf(postings, "knee")).toEqual([[7, 2]]);
    expect(listOf(postings, "pain")).toEqual([
      [3, 1],
      [7, 1],
    ]);
    expect([postings.holds(7, "knee"), postings.holds(3, "knee"), postings.holds(7, "hip")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("are after any puts and removals what a table of them says", () => {
    const terms = ["a", "b", "c", "d", "e"];
    const step = fc.record({
      key: fc.nat({ max: 6 }),
      terms: fc.option(fc.array(fc.constantFrom(...terms), { maxLength: 8 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const postings = new Postings();
        const table = new Map<number, string[]>();
        for (const { key, terms: list } of steps) {
          postings.remove(key);
          table.delete(key);
          if (list === null) continue;
          postings.put(key, list);
          table.set(key, list);
        }
        for (const term of terms) {
          const expected = [...table]
            .map(([key, list]) => [key, list.filter((other) => other === term).length] as const)
            .filter(([, count]) => count > 0)
            .sort(([x], [y]) => x - y);
          expect(listOf(postings, term)).toEqual(expected);
          expect(postings.keyCount(term)).toBe(expected.length);
        }
        expect(postings.termCount).toBe(new Set([...table.values()].flat()).size);
      }),
    );
  });

  it("grow as far as they have to", () => {
    const postings = new Postings();
    for (let key = 0; key < 2_000; key++) postings.put(key, ["all", `only ${key}`]);
    expect(postings.keyCount("all")).toBe(2_000);
    expect(listOf(postings, "only 1999")).toEqual([[1_999, 1]]);
    for (let key = 0; key < 2_000; key++) postings.remove(key);
    expect(postings.termCount).toBe(0);
  });
});

function listOf(postings: Postings, term: string): [number, number][] {
  const list: [number, number][] = [];
  postings.forEach(term, (key, count) => list.push([key, count]));
  return list.sort(([x], [y]) => x - y);
}
