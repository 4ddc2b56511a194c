import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine } from "../../../src/graph/vectors/quantized-vector.js";
import { createRandom } from "../../../src/text/random.js";
import { VectorTable } from "../../../src/graph/vectors/vector-table.js";

const dimensions = 5;
const vectors = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions });

describe("by hand", () => {
  it("cosines with (3, 4): itself 1, (4, 3) 0.96, an empty row 0", () => {
    const table = new VectorTable(2);
    for (const row of [
      [3, 4],
      [4, 3],
      [0, 0],
    ]) {
      table.add(Int8Array.from(row));
    }
    expect([...cosinesOf(table, [3, 4])].map((cosine) => cosine.toFixed(12))).toEqual([
      "1.000000000000",
      "0.960000000000",
      "0.000000000000",
    ]);
  });

  it("unit vectors of (3, 4): 0.6 and 0.8, added where asked", () => {
    const table = new VectorTable(2);
    table.add(Int8Array.of(3, 4));
    const sum = Float64Array.of(9, 1, 1, 9);
    table.addUnitTo(0, sum, 1);
    expect([...sum]).toEqual([9, 1.6, 1.8, 9]);
    // 0.6 * 10 + 0.8 * 5
    expect(table.unitDot(0, Float64Array.of(7, 10, 5), 1)).toBeCloseTo(10, 12);
  });
});

describe("rows", () => {
  it("are given out in order, and a removed one again", () => {
    const table = new VectorTable(dimensions);
    expect([1, 2, 3].map((x) => table.add(Int8Array.of(x, 0, 0, 0, 0)))).toEqual([0, 1, 2]);
    table.remove(1);
    expect(table.rowCount).toBe(3);
    expect(table.add(Int8Array.of(9, 0, 0, 0, 0))).toBe(1);
    expect(table.add(Int8Array.of(8, 0, 0, 0, 0))).toBe(3);
    expect([0, 1, 2, 3].map((row) => table.get(row)[0])).toEqual([1, 9, 3, 8]);
  });

  it("that were never written are zeros, in an empty table and beyond the last row", () => {
    const table = new VectorTable(dimensions);
    expect(table.get(0)).toEqual(new Int8Array(dimensions));
    table.add(Int8Array.of(1, 2, 3, 4, 5));
    for (const row of [1, 15, 16, 5_000]) {
      expect(table.get(row)).toEqual(new Int8Array(dimensions));
      expect(table.has(row)).toBe(false);
    }
  });

  it("can be set by number far beyond the last one", () => {
    const table = new VectorTable(dimensions);
    table.set(300, Int8Array.of(1, 2, 3, 4, 5));
    expect(table.rowCount).toBe(301);
    expect([...table.get(300)]).toEqual([1, 2, 3, 4, 5]);
    expect([...table.get(299)]).toEqual([0, 0, 0, 0, 0]);
    expect(cosinesOf(table, [1, 2, 3, 4, 5])[300]).toBeCloseTo(1, 12);
  });
});

it("rows beyond the first chunk of 4,096 are found like any other", () => {
  const table = new VectorTable(dimensions);
  const random = createRandom("chunks");
  const list = Array.from({ length: 9_000 }, () =>
    Array.from({ length: dimensions }, () => Math.floor(random() * 255) - 127),
  );
  for (const vector of list) table.add(Int8Array.from(vector));
  expect(table.rowCount).toBe(9_000);
  for (const row of [0, 15, 16, 4_095, 4_096, 8_191, 8_192, 8_999]) expect([...table.get(row)]).toEqual(list[row]);
  const query = Int8Array.of(1, -2, 3, -4, 5);
  const found = new Float64Array(9_000);
  table.cosines(query, found, 4_000, 8_500);
  for (let row = 4_000; row < 8_500; row += 7) expect(found[row]).toBe(cosine(query, Int8Array.from(list[row]!)));
  expect(found[3_999]).toBe(0);
  expect(found[8_500]).toBe(0);
  table.remove(4_096);
  expect(table.add(Int8Array.of(9, 9, 9, 9, 9))).toBe(4_096);
});

describe("after any adds, changes and removals, beyond the first capacity", () => {
  it("rows are what was put, cosines and unit products the plain ones, empty rows 0", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 400 }), vectors, (seed, stepCount, query) => {
        const table = new VectorTable(dimensions);
        const expected = runRandomSteps(table, seed, stepCount);
        const cosines = cosinesOf(table, query);
        expect(table.rowCount).toBe(expected.length);
        expected.forEach((vector, row) => {
          expect([...table.get(row)]).toEqual(vector);
          expect(cosines[row]).toBeCloseTo(plainCosine(vector, query), 12);
          const length = Math.hypot(...vector) || 1;
          expect(table.unitDot(row, Float64Array.from(query), 0)).toBeCloseTo(product(vector, query) / length, 9);
        });
      }),
      { numRuns: 40 },
    );
  });
});

/** Two adds for each change and each removal; gives back what every row should hold. */
function runRandomSteps(table: VectorTable, seed: number, stepCount: number): number[][] {
  const random = createRandom(seed);
  const expected: number[][] = [];
  const empty = Array.from({ length: dimensions }, () => 0);
  const removed = new Set<number>();
  for (let step = 0; step < stepCount; step++) {
    const vector = Array.from({ length: dimensions }, () => Math.floor(random() * 255) - 127);
    const row = Math.floor(random() * expected.length);
    const isRow = expected.length > 0 && !removed.has(row);
    const kind = random();
    if (kind < 0.25 && isRow) {
      table.remove(row);
      removed.add(row);
      expected[row] = empty;
    } else if (kind < 0.5 && isRow) {
      table.set(row, Int8Array.from(vector));
      expected[row] = vector;
    } else {
      const added = table.add(Int8Array.from(vector));
      expect(removed.size === 0 ? added === expected.length : removed.delete(added)).toBe(true);
      expected[added] = vector;
    }
  }
  return expected;
}

function cosinesOf(table: VectorTable, query: readonly number[]): Float64Array {
  const out = new Float64Array(table.rowCount);
  table.cosines(Int8Array.from(query), out);
  return out;
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, component, i) => sum + component * b[i]!, 0);
}

function plainCosine(a: readonly number[], b: readonly number[]): number {
  const lengths = Math.sqrt(product(a, a) * product(b, b));
  return lengths === 0 ? 0 : product(a, b) / lengths;
}
