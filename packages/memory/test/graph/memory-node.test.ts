import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareAge,
  compareEdgesOf,
  compareIds,
  type Edge,
  orderedPair,
  otherEnd,
} from "../../src/graph/memory-node.js";
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
});
