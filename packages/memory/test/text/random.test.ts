import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../src/text/random.js";

const two32 = 4_294_967_296;

describe("a seed", () => {
  it("gives the numbers it always gave, so that an old recall can be replayed", () => {
    expect(take(createRandom(42), 4).map((number) => number * two32)).toEqual([
      2_114_082_504, 2_094_178_002, 3_831_692_991, 2_350_281_038,
    ]);
    expect(take(createRandom("mnemosyne"), 4).map((number) => number * two32)).toEqual([
      671_091_860, 2_661_477_033, 4_022_616_654, 3_114_445_716,
    ]);
  });

  it("gives the same numbers every time, as number or as text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.string()), (seed) => {
        expect(take(createRandom(seed), 20)).toEqual(take(createRandom(seed), 20));
        expect(take(createRandom(seed), 20)).toEqual(take(createRandom(String(seed)), 20));
      }),
    );
  });
});

it("is sfc32, its state filled by FNV-1a and fifteen numbers thrown away", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (seed) => {
      expect(take(createRandom(seed), 10)).toEqual(sfc32(seed, 25).slice(15));
    }),
  );
});

function take(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random());
}

/** The published algorithm in whole numbers without any overflow to think of. */
function sfc32(seed: string, count: number): number[] {
  const low32 = (value: bigint): bigint => value & 0xffff_ffffn;
  const fnv1a = (basis: bigint): bigint => {
    let value = basis;
    for (let i = 0; i < seed.length; i++) value = low32((value ^ BigInt(seed.charCodeAt(i))) * 0x0100_0193n);
    return value;
  };
  let [a, b, c, counter] = [fnv1a(0x811c_9dc5n), fnv1a(0x0100_0193n), fnv1a(0x9e37_79b9n), 1n];
  return Array.from({ length: count }, () => {
    const sum = low32(a + b + counter);
    counter += 1n;
    a = b ^ (b >> 9n);
    b = low32(c + (c << 3n));
    c = low32(low32(c << 21n) + (c >> 11n) + sum);
    return Number(sum) / two32;
  });
}
