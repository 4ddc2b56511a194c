import fc from "fast-check";
import { expect, it } from "vitest";
import { effectiveAge } from "../../src/paper/effective-age.js";
import { dayMs } from "../../src/text/time.js";

it("a memory 30 days old, boosted by 21 days, is effectively 9 days old", () => {
  expect(effectiveAge(100 * dayMs, 70 * dayMs, 21 * dayMs)).toBe(9 * dayMs);
});

it("without a boost it is the age", () => {
  expect(effectiveAge(100 * dayMs, 70 * dayMs, 0)).toBe(30 * dayMs);
});

it("a boost beyond the age makes it negative", () => {
  expect(effectiveAge(100 * dayMs, 90 * dayMs, 21 * dayMs)).toBe(-11 * dayMs);
});

it("is now - t_init - boost", () => {
  const moments = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(moments, moments, moments, (now, init, boost) => {
      expect(effectiveAge(now, init, boost)).toBe(now - init - boost);
    }),
  );
});
