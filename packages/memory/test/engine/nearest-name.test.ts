/** The name that was probably meant. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "../../src/engine/nearest-name.js";

const names = ["at", "seed", "tokenBudget", "limit", "minScore", "rewrite"];

describe("the nearest name", () => {
  it.each([
    ["tokenBudgt", "tokenBudget"],
    ["tokenBudgettt", "tokenBudget"],
    ["token_budget", "tokenBudget"],
    ["TOKENBUDGET", "tokenBudget"],
    ["limti", "limit"],
    ["limits", "limit"],
    ["sed", "seed"],
    ["wirte", null],
    ["budget", null],
    ["tokenBudgetttt", null],
    ["a", null],
    ["xx", null],
    ["", null],
  ])('of "%s" is %s', (given, expected) => expect(nearestName(given, names)).toBe(expected));

  it("of a text of any length is none", () => expect(nearestName("limit ".repeat(200_000), names)).toBeNull());

  it("counts a swap once, and takes the nearer of two", () => {
    expect(nearestName("abdc", ["abcd"])).toBe("abcd");
    expect(nearestName("abcx", ["abyz", "abcd"])).toBe("abcd");
  });

  it("is the one that lies as many mistakes away as a plain recursion counts", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 6, maxLength: 8 });
    fc.assert(
      fc.property(word, word, (given, name) => {
        expect(nearestName(given, [name])).toBe(mistakes(given, name) <= 2 ? name : null);
      }),
      { numRuns: 300 },
    );
  });
});

function mistakes(a: string, b: string, limit = 3): number {
  if (a === b) return 0;
  if (limit === 0) return 1;
  if (a === "" || b === "") return a.length + b.length;
  if (a[0] === b[0]) return mistakes(a.slice(1), b.slice(1), limit);
  const isSwap = a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      mistakes(a.slice(1), b, limit - 1),
      mistakes(a, b.slice(1), limit - 1),
      mistakes(a.slice(1), b.slice(1), limit - 1),
      isSwap && a.length > 1 ? mistakes(a.slice(2), b.slice(2), limit - 1) : Infinity,
    )
  );
}
