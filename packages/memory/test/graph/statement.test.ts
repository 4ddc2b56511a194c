import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import {
  type EndLink,
  type Statement,
  areEnds,
  areMarks,
  comparePlaces,
  fullText,
  isFact,
  isLasting,
  isStatement,
  nameOf,
  placeNamed,
  uniteLinks,
} from "../../src/graph/statement.js";
import { buildGraph, endOf, factOf, markOf, statementOf } from "./graph-fixtures.js";

const ids = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a", "a#1", "a#1#2", "#", "#1"));
const positions = fc.oneof(fc.constant(null), fc.nat({ max: 300 }));
const links = fc.record({
  memory: fc.constantFrom("a", "b", "c d"),
  position: fc.oneof(fc.constant(null), fc.nat({ max: 2 })),
  by: fc.oneof(fc.constant(null), fc.nat({ max: 2 })),
});

describe("the name of a place", () => {
  it("is the memory's, with the position of a statement after it", () => {
    expect(nameOf({ memory: "monday", position: null })).toBe("monday");
    expect(nameOf({ memory: "monday", position: 3 })).toBe("monday#3");
  });

  it("says which statement of which memory, whatever the memory is called", () => {
    fc.assert(
      fc.property(ids, fc.nat({ max: 300 }), (memory, position) => {
        expect(placeNamed(nameOf({ memory, position }))).toEqual({ memory, position });
      }),
    );
  });

  it.each(["monday", "#1", "monday#", "monday#one", "monday#-1", "monday#1.5", "monday#1234567", ""])(
    "is not %j: only a memory can be called that",
    (name) => {
      expect(placeNamed(name)).toBeNull();
    },
  );
});

describe("a statement", () => {
  it("is a fact if it was read as one, and material never is", () => {
    expect(isFact(factOf("I sing."))).toBe(true);
    expect(isFact(factOf("I sing.", { fact: 0.5 }))).toBe(true);
    expect(isFact(factOf("I sing.", { fact: 0.49 }))).toBe(false);
    expect(isFact(statementOf("I sing."))).toBe(false);
    expect(isFact({ ...factOf("I sing."), kind: "written" })).toBe(true);
    expect(isFact({ ...factOf("I sing."), kind: "passage" })).toBe(false);
  });

  it("may last only if it is a fact", () => {
    expect(isLasting(factOf("I sing."))).toBe(true);
    expect(isLasting(factOf("I sing.", { lasting: 0.49 }))).toBe(false);
    expect(isLasting(factOf("I sing.", { fact: 0.49 }))).toBe(false);
    expect(isLasting(statementOf("I sing."))).toBe(false);
  });

  it("in full has the question before it", () => {
    expect(fullText(statementOf("Bach."))).toBe("Bach.");
    expect(fullText(statementOf("Bach.", { asked: "What do you sing?" }))).toBe("What do you sing? Bach.");
  });

  const fact = factOf("I sing.");
  it.each<[string, Statement]>([
    ["nobody read", statementOf("I sing.")],
    ["a reader read", fact],
    ["a model wrote", { ...fact, turn: null, who: null, kind: "written" }],
    ["answers a question", { ...fact, asked: "What do you do?" }],
  ])("that %s is one", (_, statement) => {
    expect(isStatement(statement)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["a text", "I sing."],
    ["no text", { ...fact, text: null }],
    ["a place before the first turn", { ...fact, turn: -1 }],
    ["half a turn", { ...fact, turn: 0.5 }],
    ["another kind", { ...fact, kind: "sung" }],
    ["a speaker without a name", { ...fact, who: 1 }],
    ["no question and not null", { ...fact, asked: undefined }],
    ["no reading and not null", { ...fact, reading: undefined }],
    ["more than certain", { ...fact, reading: { ...fact.reading, lasting: 1.1 } }],
    ["no number", { ...fact, reading: { ...fact.reading, alone: NaN } }],
    ["about another", { ...fact, reading: { ...fact.reading, about: "us" } }],
    ["no area", { ...fact, reading: { ...fact.reading, area: null } }],
  ])("is not %s", (_, value) => {
    expect(isStatement(value)).toBe(false);
  });

  it("that is none breaks an invariant of the graph", () => {
    const violationsOf = (statement: Statement): string[] =>
      findViolations(buildGraph({ nodes: [{ id: "a", statements: [statement] }], edges: [] }), 9);
    expect(violationsOf(fact)).toEqual([]);
    expect(violationsOf({ ...fact, turn: -1 })).toEqual(["the statements of a are none"]);
  });
});

describe("links", () => {
  it("are ends of statements or of whole memories", () => {
    for (const ends of [[], [endOf("a")], [endOf("a", 0, 1), endOf("b", 2)]]) expect(areEnds(ends)).toBe(true);
    const others = [
      {},
      ["a"],
      [null],
      [{ ...endOf("a"), memory: 1 }],
      [endOf("a", -1)],
      [endOf("a", 0, 0.5)],
      [endOf("a"), 1],
    ];
    for (const ends of others) expect(areEnds(ends)).toBe(false);
  });

  it("of several lists are united: each once, by memory, statement and what ended it", () => {
    const key = ({ memory, position, by }: EndLink): string => JSON.stringify([memory, position, by]);
    fc.assert(
      fc.property(fc.array(fc.array(links, { maxLength: 6 }), { maxLength: 4 }), (lists) => {
        const united = uniteLinks(...lists);
        expect(new Set(united.map(key)).size).toBe(united.length);
        expect(new Set(united.map(key))).toEqual(new Set(lists.flat().map(key)));
        const order = ({ memory, position, by }: EndLink): [string, number, number] => [
          memory,
          position ?? -1,
          by ?? -1,
        ];
        const sorted = [...united].sort((x, y) => {
          const [a, b] = [order(x), order(y)];
          return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1] || a[2] - b[2];
        });
        expect(united).toEqual(sorted);
        // However they came.
        expect(uniteLinks(...lists.toReversed())).toEqual(united);
        expect(uniteLinks(united, united)).toEqual(united);
      }),
    );
  });

  it("stand in an order that calls only the same place the same", () => {
    const places = fc.record({ memory: ids, position: positions });
    fc.assert(
      fc.property(places, places, (x, y) => {
        expect(Math.sign(comparePlaces(x, y))).toBe(-Math.sign(comparePlaces(y, x)) + 0);
        const isSame = x.memory === y.memory && x.position === y.position;
        expect(comparePlaces(x, y) === 0).toBe(isSame);
      }),
    );
  });
});

it("marks are of a known kind, on a statement or on all of a memory", () => {
  for (const marks of [[], [markOf("pinned", 0, "home")], [markOf("held"), markOf("untrue", 2)]]) {
    expect(areMarks(marks)).toBe(true);
  }
  const mark = markOf("pinned", 0, "home");
  const others = [
    {},
    [null],
    [{ ...mark, kind: "kept" }],
    [{ ...mark, position: -1 }],
    [{ ...mark, area: 1 }],
    [mark, 1],
  ];
  for (const marks of others) expect(areMarks(marks)).toBe(false);
});
