/** Conditions and metadata as they are written on a command line. */
import { describe, expect, it } from "vitest";
import { collectMetadata, describeMetadata, parseCondition, readSelection } from "../../src/cli/selection-options.js";

describe("a condition", () => {
  it.each([
    ["agent=support", { agent: { in: ["support"] } }],
    ["agent = a b , c", { agent: { in: ["a b", "c"] } }],
    ["agent=", { agent: { in: [""] } }],
    // Whoever noted it may have noted a number or a text.
    ["n=3", { n: { in: [3, "3"] } }],
    ["done!=true", { done: { nin: [true, "true"] } }],
    ["tags=a,2,b", { tags: { in: ["a", 2, "2", "b"] } }],
    ['tags="a,2"', { tags: { in: ["a,2"] } }],
    ['tags=["a,2", 3]', { tags: { in: ["a,2", 3] } }],
    ["zip=007", { zip: { in: ["007"] } }],
    ["n>=-3.5", { n: { gte: -3.5 } }],
    ["n<=3", { n: { lte: 3 } }],
    ["n>3", { n: { gt: 3 } }],
    ["on<2025-02", { on: { lt: "2025-02" } }],
    ['n<"3"', { n: { lt: "3" } }],
    ["url=a=b>c", { url: { in: ["a=b>c"] } }],
    ['{ "not": { "n": 3 } }', { not: { n: 3 } }],
  ])("%s is %j", (text, filter) => {
    expect(parseCondition(text)).toEqual(filter);
  });

  it.each(["agent", "=support", "{ n: 3 }", 'n="3', "tags=[a"])("%s is refused", (text) => {
    expect(() => parseCondition(text)).toThrow(/^write it as key=value|^it is not JSON/u);
  });

  it("joins others", () => {
    const filter = [{ n: 1 }, { n: 2 }];
    expect(readSelection({ filter, from: "2025-01-01" })).toEqual({ filter: { and: filter }, from: "2025-01-01" });
    expect(readSelection({ filter: [{ n: 1 }], to: "2025-01-01" })).toEqual({ filter: { n: 1 }, to: "2025-01-01" });
    expect(readSelection({})).toEqual({});
  });
});

describe("metadata", () => {
  it.each([
    ["agent=support", { agent: "support" }],
    ["n=3", { n: 3 }],
    ["done=false", { done: false }],
    ["tags=a,b", { tags: ["a", "b"] }],
    ['tags=["a,b"]', { tags: ["a,b"] }],
    ["tags=[]", { tags: [] }],
    ['name="a,b"', { name: "a,b" }],
    ["formula=a=b", { formula: "a=b" }],
    ['{ "n": "3" }', { n: "3" }],
  ])("%s is %j", (text, metadata) => {
    expect(collectMetadata(text, { known: 1 })).toEqual({ known: 1, ...metadata });
  });

  it("without a name or a value is refused", () => {
    for (const text of ["agent", "=support", "{", "tags=[a"]) expect(() => collectMetadata(text)).toThrow();
  });

  it("is shown in one line", () => {
    expect(describeMetadata({ agent: "a\nb", tags: ["x", "y"], n: 2, done: true })).toBe(
      "agent=a b, tags=x,y, n=2, done=true",
    );
    expect(describeMetadata({})).toBe("");
  });
});
