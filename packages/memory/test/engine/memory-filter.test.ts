/** The filter language: what passes, and how what cannot be read is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Metadata } from "mnemosyne-edge";
import { parseFilter } from "../../src/engine/memory-filter.js";
import { naivePasses, someFilter, someMetadata } from "./filter-scenes.js";

const visit: Metadata = {
  agent: "support",
  tags: ["billing", "urgent"],
  n: 3,
  done: false,
  on: "2025-01-08",
  empty: [],
};

describe("a filter", () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ agent: "support" }, true],
    [{ agent: "sales" }, false],
    [{ agent: "support", n: 4 }, false],
    // A list is equal to each of its items.
    [{ tags: "billing" }, true],
    [{ tags: "bill" }, false],
    [{ tags: { ne: "billing" } }, false],
    [{ tags: { in: ["other", "urgent"] } }, true],
    [{ tags: { nin: ["other", "urgent"] } }, false],
    [{ empty: { exists: true } }, true],
    // What is missing is not equal to anything.
    [{ nobody: "support" }, false],
    [{ nobody: { ne: "support" } }, true],
    [{ nobody: { lt: 5 } }, false],
    [{ nobody: { exists: false } }, true],
    [{ toString: { exists: true } }, false],
    // Numbers with numbers, texts with texts.
    [{ n: { gte: 3, lt: 9 } }, true],
    [{ n: { gt: 3 } }, false],
    [{ n: "3" }, false],
    [{ on: { $gte: "2025-01-01", $lt: "2025-02" } }, true],
    [{ on: { gt: 0 } }, false],
    [{ tags: { gt: "a" } }, false],
    [{ done: false }, true],
    [{ and: [{ n: 3 }, { or: [{ done: true }, { tags: "urgent" }] }] }, true],
    [{ $and: [{ n: 3 }, { $not: { agent: "support" } }] }, false],
    [{ OR: [{ n: 4 }, { AND: [{ n: 3 }, { NOT: { done: true } }] }] }, true],
    [{ not: {} }, false],
  ])("%j lets a visit pass: %s", (filter, expected) => {
    expect(parseFilter(filter).passes(visit)).toBe(expected);
  });

  it("passes what one that is read word by word passes", () => {
    fc.assert(
      fc.property(someFilter, fc.array(someMetadata, { minLength: 1, maxLength: 5 }), (filter, all) => {
        const { passes } = parseFilter(filter);
        expect(all.map((metadata) => passes(metadata))).toEqual(all.map((metadata) => naivePasses(filter, metadata)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[unknown, boolean]>([
    [{}, false],
    [{ or: [{}] }, false],
    [{ not: {} }, false],
    [{ n: { in: [] } }, true],
    [{ n: 3 }, true],
  ])("%j restricts anything: %s", (filter, expected) => {
    expect(parseFilter(filter).restricts).toBe(expected);
  });

  const nested = (depth: number): unknown => (depth === 1 ? { n: 1 } : { not: nested(depth - 1) });
  const conditions = (count: number): unknown => ({ or: Array.from({ length: count }, (_, n) => ({ n })) });
  const values = (count: number): unknown => ({ n: { in: Array.from({ length: count }, (_, n) => n) } });

  it.each([nested(8), conditions(64), values(1_000)])("may be as large as its limits", (filter) => {
    expect(parseFilter(filter).restricts).toBe(true);
  });

  it.each<[unknown, string]>([
    ["agent", "filter must be an object, not a text of 5 characters"],
    [new Map([["n", 3]]), "filter must be a plain object, not one of a class"],
    [
      { and: [{ n: 1 }, { n: { around: 3 } }] },
      "filter.and[1].n.around: there is no such operator; there are: eq, ne,",
    ],
    [{ and: { n: 1 } }, "filter.and: an object; it must be a list of filters"],
    [{ $or: [] }, "filter.$or: an empty list; it needs at least one filter"],
    [{ or: [{ n: 1 }, "n"] }, "filter.or[1] must be an object, not a text of 1 characters"],
    [{ $near: 3 }, 'filter.$near: there is no "$near"; there are and, or, not, and for a value eq, ne,'],
    [{ n: [1, 2] }, "filter.n: a list; write { in: [...] } for any of these"],
    [{ n: null }, "filter.n: null; leave the name out, or write { exists: false }"],
    [{ n: {} }, "filter.n: an object without operators"],
    [{ n: { gt: true } }, "filter.n.gt: true; it must be a number or text"],
    [{ n: { exists: 1 } }, "filter.n.exists: 1; it must be true or false"],
    [{ n: { in: 3 } }, "filter.n.in: 3; it must be a list"],
    [{ n: { in: [1, [2]] } }, "filter.n.in[1]: a list; it must be text, a finite number, true or false"],
    [{ "my name": { eq: null } }, 'filter["my name"].eq: null; it must be text'],
    [nested(9), "filters may lie in each other at most 8 deep"],
    [conditions(65), "filter.or[64].n: the filter has more than 64 conditions"],
    [values(1_001), "filter.n.in: a list of 1001 items; it may have at most 1000"],
  ])("%j is refused", (filter, message) => {
    expect(() => parseFilter(filter)).toThrow(
      expect.objectContaining({ code: "filter_invalid", message: expect.stringContaining(message) as string }),
    );
  });

  it("that contains itself is refused", () => {
    const filter: { not?: unknown } = {};
    filter.not = filter;
    expect(() => parseFilter(filter)).toThrow("at most 8 deep");
  });
});
