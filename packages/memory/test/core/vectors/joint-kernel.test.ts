import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BinTable, blockOf, blockSlotCount } from "../../../src/core/vectors/bin-table.js";
import { xLogX } from "../../../src/core/paper/entropy.js";
import { type FirstBins, jointSumCount, jointSums, plainJointSums } from "../../../src/core/vectors/joint-kernel.js";
import { instantiateKernel } from "../../../src/core/vectors/kernel.js";

function firstBins(bins: readonly number[], binCount: number): FirstBins {
  const order = Uint16Array.from(bins.keys()).sort((x, y) => bins[x]! - bins[y]! || x - y);
  const ends = Int32Array.from({ length: binCount }, (_, bin) => bins.filter((other) => other <= bin).length);
  return { binCount, order, ends, table: Float64Array.from({ length: bins.length + 1 }, (_, count) => xLogX(count)) };
}

const cases = fc
  .record({ dimensions: fc.integer({ min: 1, max: 600 }), binCount: fc.integer({ min: 2, max: 16 }) })
  .chain(({ dimensions, binCount }) => {
    // Even bins, and bins of one kind only, of which there are more than a byte can count.
    const bins = fc.oneof(
      fc.array(fc.nat({ max: binCount - 1 }), { minLength: dimensions, maxLength: dimensions }),
      fc.constant(Array.from({ length: dimensions }, () => binCount - 1)),
    );
    return fc.record({ binCount: fc.constant(binCount), first: bins, others: fc.array(bins, { maxLength: 16 }) });
  });

describe("the joint sums", () => {
  it("come from WebAssembly on this platform", () => {
    expect(instantiateKernel()).not.toBeNull();
    expect(jointSums).not.toBe(plainJointSums);
  });

  it("of the kernel are those of plain JavaScript, to the last bit", () => {
    fc.assert(
      fc.property(cases, ({ binCount, first, others }) => {
        const table = new BinTable(first.length, (slot) => Uint8Array.from(others[slot]!));
        for (const slot of others.keys()) table.put(slot);
        const [fast, plain] = [new Float64Array(jointSumCount), new Float64Array(jointSumCount)];
        jointSums(firstBins(first, binCount), table.block(0), fast);
        plainJointSums(firstBins(first, binCount), table.block(0), plain);
        expect(fast).toEqual(plain);
      }),
    );
  });

  it("of vectors too large for the kernel's memory are done without it", () => {
    const dimensions = 60_000;
    const bins = Array.from({ length: dimensions }, (_, i) => i % 4);
    const table = new BinTable(dimensions, () => Uint8Array.from(bins));
    table.put(3);
    const [fast, plain] = [new Float64Array(jointSumCount), new Float64Array(jointSumCount)];
    jointSums(firstBins(bins, 4), table.block(0), fast);
    plainJointSums(firstBins(bins, 4), table.block(0), plain);
    expect(fast).toEqual(plain);
    expect(fast[3]).toBeCloseTo(4 * xLogX(dimensions / 4), 6);
  });
});

describe("a table of bins", () => {
  const table = new BinTable(3, (slot) => Uint8Array.of(slot, slot + 1, slot + shift));
  let shift = 2;
  const binsOf = (slot: number): number[] =>
    [0, 1, 2].map((i) => table.block(blockOf(slot))[i * blockSlotCount + (slot % blockSlotCount)]!);

  it("keeps every slot's bins in its lane of its block, and clears only that", () => {
    for (const slot of [0, 14, 15, 16, 40]) table.put(slot);
    table.clear(14);
    expect(binsOf(15)).toEqual([15, 16, 17]);
    table.clear(15);
    expect([0, 14, 15, 16, 40].map(binsOf)).toEqual([
      [0, 1, 2],
      [0, 0, 0],
      [0, 0, 0],
      [16, 17, 18],
      [40, 41, 42],
    ]);
  });

  it("makes bins when they are first asked for, and again only after another put", () => {
    shift = 9;
    expect(binsOf(0)).toEqual([0, 1, 2]);
    table.put(0);
    expect(binsOf(0)).toEqual([0, 1, 9]);
    expect(binsOf(16)).toEqual([16, 17, 18]);
  });
});
