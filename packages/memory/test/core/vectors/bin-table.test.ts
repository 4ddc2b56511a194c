import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BinTable, blockOf, blockSlotCount } from "../../../src/core/vectors/bin-table.js";

const dimensions = 3;

/** The bins of a slot, read out of its block. */
function binsAt(table: BinTable, slot: number): number[] {
  const block = table.block(blockOf(slot));
  return Array.from({ length: dimensions }, (_, i) => block[i * blockSlotCount + (slot % blockSlotCount)]!);
}

describe("binned vectors by slot", () => {
  it("lie sixteen side by side", () => {
    expect([0, 15, 16, 31, 32].map(blockOf)).toEqual([0, 0, 1, 1, 2]);
    const table = new BinTable(dimensions, (slot) => Uint8Array.from([slot, slot + 1, slot + 2]));
    for (const slot of [0, 1, 15, 16, 17]) table.put(slot);
    expect(Array.from(table.block(0).subarray(0, 2))).toEqual([0, 1]);
    expect(table.block(0)[15]).toBe(15);
    expect(Array.from(table.block(0).subarray(16, 18))).toEqual([1, 2]);
    expect(binsAt(table, 17)).toEqual([17, 18, 19]);
    expect(table.block(1)).toHaveLength(16 * dimensions);
  });

  it("are made when first asked for, and once", () => {
    const made: number[] = [];
    const table = new BinTable(dimensions, (slot) => {
      made.push(slot);
      return new Uint8Array(dimensions);
    });
    for (const slot of [3, 20, 5]) table.put(slot);
    expect(made).toEqual([]);
    table.block(0);
    table.block(0);
    expect(made).toEqual([3, 5]);
    table.put(5);
    table.block(0);
    table.block(1);
    expect(made).toEqual([3, 5, 5, 20]);
  });

  it("after any puts and clears are those of the last put, or zero", () => {
    const step = fc.record({ slot: fc.nat({ max: 40 }), isPut: fc.boolean(), isRead: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const current = new Map<number, number[]>();
        const wanted = (slot: number): number[] => current.get(slot) ?? [0, 0, 0];
        const table = new BinTable(dimensions, (slot) => Uint8Array.from(wanted(slot)));
        for (const [time, { slot, isPut, isRead }] of steps.entries()) {
          if (isPut) current.set(slot, [time + 1, slot + 1, 7]);
          else current.delete(slot);
          if (isPut) table.put(slot);
          else table.clear(slot);
          if (isRead) expect(binsAt(table, slot)).toEqual(wanted(slot));
        }
        for (const { slot } of steps) expect(binsAt(table, slot)).toEqual(wanted(slot));
      }),
    );
  });
});
