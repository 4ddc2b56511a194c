/** Numbers of terms: the same for the same hash, another for another, and used again once released. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { highOf, lowOf } from "../../../src/core/text/term-hash.js";
import { TermNumbers } from "../../../src/core/text/term-numbers.js";

/** Few enough to meet, many enough to grow, some of them in the same slots. */
const hashes = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: 400 }).map((i) => i * 2 ** 32 + 7),
  fc.maxSafeNat().map((n) => n % 2 ** 48),
);
const steps = fc.array(fc.record({ hash: hashes, isReleased: fc.boolean() }), { maxLength: 900 });

it("are after any steps those of a map", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const numbers = new TermNumbers();
      const map = new Map<number, number>();
      for (const { hash, isReleased } of list) {
        const known = map.get(hash);
        expect(numbers.get(hash)).toBe(known ?? -1);
        if (isReleased && known !== undefined) {
          numbers.release(known);
          map.delete(hash);
        } else if (!isReleased) {
          const number = numbers.take(lowOf(hash), highOf(hash));
          if (known === undefined) expect([...map.values()]).not.toContain(number);
          else expect(number).toBe(known);
          map.set(hash, number);
        }
      }
      for (const [hash, number] of map) expect(numbers.get(hash)).toBe(number);
      expect(numbers.size).toBe(map.size);
    }),
  );
});
