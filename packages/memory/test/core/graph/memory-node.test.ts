import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareAge,
  compareEdgesOf,
  compareIds,
  type Edge,
  noChange,
  orderedPair,
  otherEnd,
} from "../../../src/core/graph/memory-node.js";
import { edgeBetween } from "./graph-fixtures.js";

const ids = fc.string({ maxLength: 4 });

describe("ids", () => {
  it("order themselves as text does by default", () => {
    fc.assert(
      fc.property(fc.array(ids), (list) => {
        expect([...list].sort(compareIds)).toEqual([...list].sort());
      }),
    );
  });

  it("of an edge stand in one order, whichever end is named first", () => {
    expect(orderedPair("b", "a")).toEqual(["a", "b"]);
    fc.assert(
      fc.property(ids, ids, (x, y) => {
        expect(orderedPair(x, y)).toEqual(orderedPair(y, x));
        expect(orderedPair(x, y)).toEqual([x, y].sort());
      }),
    );
  });

  it("each end of an edge leads to the other", () => {
    const edge = edgeBetween("x", "a", 0.5);
    expect(otherEnd(edge, "x")).toBe("a");
    expect(otherEnd(edge, "a")).toBe("x");
  });
});

describe("orders", () => {
  it("older first, then by id", () => {
    const memories = [
      { id: "c", initMs: 2 },
      { id: "b", initMs: 1 },
      { id: "a", initMs: 2 },
    ];
    expect(memories.sort(compareAge).map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });

  it("strongest edge first, then by the id at the other end", () => {
    const edges: Edge[] = [edgeBetween("m", "z", 0.7), edgeBetween("m", "b", 0.5), edgeBetween("m", "a", 0.7)];
    expect(edges.sort(compareEdgesOf("m")).map((edge) => otherEnd(edge, "m"))).toEqual(["a", "z", "b"]);
  });

  it("are total: comparing either way round gives opposite signs", () => {
    const memories = fc.record({ id: ids, initMs: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(memories, memories, (x, y) => {
        expect(Math.sign(compareAge(x, y)) + Math.sign(compareAge(y, x))).toBe(0);
        expect(Math.sign(compareIds(x.id, y.id)) + Math.sign(compareIds(y.id, x.id))).toBe(0);
      }),
    );
  });
});

it("no change changes nothing", () => {
  expect(Object.values(noChange).flat()).toEqual([]);
});
