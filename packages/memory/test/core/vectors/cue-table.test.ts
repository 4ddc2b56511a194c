/** Vectors of which a memory has any number. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { CueTable } from "../../../src/core/vectors/cue-table.js";
import { dimensions, vectors } from "../graph/graph-fixtures.js";

const steps = fc.array(
  fc.record({ slot: fc.nat({ max: 6 }), cues: fc.option(fc.array(vectors, { maxLength: 30 }), { nil: null }) }),
  { maxLength: 20 },
);

it("after any puts and removals every cue has one row with its memory, and no other row has one", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const table = new CueTable(dimensions);
      const expected = new Map<number, string[]>();
      for (const { slot, cues } of list) {
        table.remove(slot);
        expected.delete(slot);
        if (cues === null) continue;
        const rows = cues.map((vector) => Int8Array.from(vector));
        table.put(slot, rows);
        expected.set(
          slot,
          rows.map((vector) => `${slot}: ${vector.join()}`),
        );
        expect(table.vectorsOf(slot)).toEqual(rows);
      }
      const found: string[] = [];
      for (let row = 0; row < table.vectors.rowCount; row++) {
        const slot = table.slots[row]!;
        if (slot >= 0) found.push(`${slot}: ${table.vectors.get(row).join()}`);
      }
      expect(found.sort()).toEqual([...expected.values()].flat().sort());
      expect([...table.slots.subarray(table.vectors.rowCount)].every((slot) => slot === -1)).toBe(true);
    }),
  );
});
