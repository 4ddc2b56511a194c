import fc from "fast-check";
import { expect, it } from "vitest";
import { highestSlots } from "../../src/graph/highest-slots.js";
import { buildGraph, idOf, nowMs } from "./graph-fixtures.js";

const graphs = fc.array(
  fc.record({
    // Few different values and times, so that ties are common.
    value: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constant(-Infinity)),
    hour: fc.nat({ max: 2 }),
  }),
  { maxLength: 60 },
);

it("are the first of a sorted list: by value, then by age, then by id, and never one that does not take part", () => {
  fc.assert(
    fc.property(graphs, fc.integer({ min: 1, max: 12 }), fc.boolean(), (list, count, isReversed) => {
      const memories = list.map(({ value, hour }, i) => ({ id: idOf(i), initMs: nowMs + hour, value }));
      const graph = buildGraph({ nodes: isReversed ? memories.toReversed() : memories, edges: [] });
      const values = new Float64Array(graph.slotCount);
      for (const { id, value } of memories) values[graph.slotOf(id)] = value;
      const expected = memories
        .filter(({ value }) => value > -Infinity)
        .sort((x, y) => y.value - x.value || x.initMs - y.initMs || (x.id < y.id ? -1 : 1))
        .slice(0, count);
      expect(highestSlots(values, count, graph).map((slot) => graph.idAt(slot))).toEqual(expected.map(({ id }) => id));
    }),
  );
});
