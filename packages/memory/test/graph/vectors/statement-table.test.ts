import fc from "fast-check";
import { expect, it } from "vitest";
import { cosine } from "../../../src/graph/vectors/quantized-vector.js";
import { StatementTable, contextScale } from "../../../src/graph/vectors/statement-table.js";
import { dimensions, vectors } from "../graph-fixtures.js";

const steps = fc.array(
  fc.record({
    slot: fc.nat({ max: 6 }),
    memory: vectors,
    statements: fc.option(fc.array(fc.record({ vector: vectors, isWritten: fc.boolean() }), { maxLength: 30 }), {
      nil: null,
    }),
  }),
  { maxLength: 20 },
);

it("after any puts and removals every statement has one row: its memory, how close it comes to it, who wrote it", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const table = new StatementTable(dimensions);
      const expected = new Map<number, string[]>();
      for (const { slot, memory, statements } of list) {
        table.remove(slot);
        expected.delete(slot);
        // Asked for in between, so that rows of before and after are both there.
        table.contextScales(list.length % 2 === 0 ? 0.5 : 0.25);
        if (statements === null) continue;
        const memoryVector = Int8Array.from(memory);
        const rows = statements.map(({ vector }) => Int8Array.from(vector));
        const written = statements.map(({ isWritten }) => isWritten);
        table.put(slot, rows, memoryVector, written);
        const row = (vector: Int8Array, i: number): string =>
          `${slot}: ${vector.join()} ${contextScale(cosine(vector, memoryVector), 0.5)} ${Number(written[i])}`;
        expected.set(slot, rows.map(row));
        expect(table.vectorsOf(slot)).toEqual(rows);
      }
      const found: string[] = [];
      for (let row = 0; row < table.vectors.rowCount; row++) {
        const slot = table.slots[row]!;
        if (slot < 0) continue;
        const scale = table.contextScales(0.5)[row]!;
        found.push(`${slot}: ${table.vectors.get(row).join()} ${scale} ${table.written[row]!}`);
      }
      expect(found.sort()).toEqual([...expected.values()].flat().sort());
    }),
  );
});

it("rows that became free are given out again", () => {
  const table = new StatementTable(2);
  const [x, y] = [Int8Array.of(1, 0), Int8Array.of(0, 1)];
  table.put(0, [x, x], x, [true, true]);
  table.put(1, [x], x, [false]);
  table.remove(0);
  table.put(2, [y, x], y, [false, false]);
  expect(table.vectors.rowCount).toBe(3);
  // 1 / |s + m| is 1/2 along and 1/√2 across.
  expect([...table.contextScales(1).subarray(0, 3)].toSorted()).toEqual([0.5, 0.5, 1 / Math.SQRT2]);
  expect([...table.written.subarray(0, 3)]).toEqual([0, 0, 0]);
  expect(table.vectorsOf(2)).toEqual([y, x]);
  expect(table.vectorsOf(0)).toEqual([]);
});
