/** Links when memories go: nothing gone is named, and what was ended stays so while anything newer is left. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import { endersOf } from "../../src/graph/holding.js";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../../src/graph/memory-node.js";
import {
  endsAfterRemoval,
  findSame,
  linksAfterRemoval,
  linksWithout,
  movesBetween,
  passLinks,
} from "../../src/graph/passed-links.js";
import { type EndLink, type Place, nameOf, uniteLinks } from "../../src/graph/statement.js";
import { removeMemories } from "../../src/upkeep/pruning.js";
import {
  type NodeSketch,
  buildGraph,
  changeOf,
  daysAgo,
  edgeBetween,
  embed,
  endOf,
  factOf,
  idOf,
  statementOf,
} from "./graph-fixtures.js";

const statementCount = 3;

/** Up to six memories, one a day, of three statements, whose links end statements or all of older ones. */
function memories({ words = ["plums", "trains", "choirs"] } = {}): fc.Arbitrary<NodeSketch[]> {
  const place = fc.option(fc.nat({ max: statementCount - 1 }), { nil: null });
  const link = fc.tuple(fc.nat({ max: 4 }), place, place);
  return fc.array(fc.array(link, { maxLength: 4 }), { minLength: 1, maxLength: 6 }).map((lists) =>
    lists.map((links, i) => ({
      id: idOf(i),
      initMs: daysAgo(lists.length - i),
      statements: words.map((word) => factOf(`I like ${word}.`)),
      ends: links.filter(([older]) => older < i).map(([older, position, by]) => endOf(idOf(older), position, by)),
    })),
  );
}

const picks = fc.array(fc.nat({ max: 5 }), { maxLength: 4 });

function graphOf(nodes: readonly NodeSketch[]): MemoryGraph {
  return buildGraph({ nodes, edges: [] });
}

describe("removing memories", () => {
  const a = { id: "a", initMs: daysAgo(9), statements: ["Graz.", "Tea."] };
  const b = {
    id: "b",
    initMs: daysAgo(7),
    statements: ["Vienna.", "Coffee."],
    ends: [endOf("a", 0, 0), endOf("a", 1, 1)],
  };
  const c = { id: "c", initMs: daysAgo(5), statements: ["Linz."], ends: [endOf("b", 0, 0)] };
  const d = { id: "d", initMs: daysAgo(3), statements: ["Rome."], ends: [endOf("c")] };
  const linksAfter = (...ids: string[]): unknown => removeMemories(ids, graphOf([a, b, c, d])).setEnds;

  it("passes links on along a chain, each to what its own statement had ended, and names nothing that is gone", () => {
    expect(linksAfter("a")).toEqual([{ id: "b", ends: [] }]);
    // Linz came after Vienna, which came after Graz; about coffee it says nothing, so tea is true again.
    expect(linksAfter("b")).toEqual([{ id: "c", ends: [endOf("a", 0, 0)] }]);
    expect(linksAfter("d")).toEqual([]);
    expect(linksAfter("gone")).toEqual([]);
    expect(linksAfter("b", "c")).toEqual([{ id: "d", ends: [endOf("a", 0)] }]);
    expect(linksAfter("a", "c")).toEqual([
      { id: "b", ends: [] },
      { id: "d", ends: [endOf("b", 0)] },
    ]);
  });

  it("passes on everything that was ended where all of a memory had ended, or all of it was", () => {
    const whole = { ...b, ends: [endOf("a", 0), endOf("a", 1, 1)] };
    expect(linksAfterRemoval(new Set(["b"]), graphOf([a, whole, c]))).toEqual([{ id: "c", ends: [endOf("a", 0, 0)] }]);
    const ended = { ...c, ends: [endOf("b", null, 0)] };
    expect(linksAfterRemoval(new Set(["b"]), graphOf([a, b, ended]))).toEqual([
      { id: "c", ends: [endOf("a", 0, 0), endOf("a", 1, 0)] },
    ]);
  });

  it("gives every link the ends that a walk along the removed ones finds", () => {
    fc.assert(
      fc.property(memories(), picks, (nodes, indices) => {
        const graph = graphOf(nodes);
        const removed = new Set(indices.map((i) => idOf(i % nodes.length)));
        const walk = (link: EndLink): EndLink[] =>
          removed.has(link.memory)
            ? graph
                .node(link.memory)!
                .ends.filter((older) => [null, older.by].includes(link.position) || older.by === null)
                .flatMap((older) => walk({ ...older, by: link.by }))
            : [link];
        for (const { ends } of graph.nodes()) {
          expect(endsAfterRemoval(ends, removed, graph)).toEqual(uniteLinks(ends.flatMap(walk)));
        }
        const changed = linksAfterRemoval(removed, graph);
        const isTouched = ({ id, ends }: MemoryNode): boolean =>
          !removed.has(id) && ends.some(({ memory }) => removed.has(memory));
        expect(changed.map(({ id }) => id).sort()).toEqual(
          [...graph.nodes()]
            .filter(isTouched)
            .map(({ id }) => id)
            .sort(),
        );
        for (const { id, ends } of changed)
          expect(ends).toEqual(endsAfterRemoval(graph.node(id)!.ends, removed, graph));
      }),
    );
  });

  it("ends nothing that held, leaves nothing ended by nobody, and a sound graph", () => {
    fc.assert(
      fc.property(memories(), picks, (nodes, indices) => {
        const graph = graphOf(nodes);
        const removed = indices.map((i) => idOf(i % nodes.length));
        const before = endedIn(graph);
        const isLeft = chainsIn(graph, new Set(removed));
        graph.apply(removeMemories(removed, graph));
        expect(findViolations(graph, 10)).toEqual([]);
        const after = endedIn(graph);
        for (const name of after) expect(before).toContain(name);
        for (const name of before) if (isLeft(name)) expect(after).toContain(name);
      }),
    );
  });
});

/** Names of all places, of statements and of whole memories, that something ended. */
function endedIn(graph: MemoryGraph): Set<string> {
  return new Set(
    placesIn(graph)
      .filter((place) => endersOf(graph.node(place.memory)!, place.position, graph).length > 0)
      .map(nameOf),
  );
}

function placesIn(graph: MemoryGraph): Place[] {
  return [...graph.nodes()].flatMap(({ id, statements }) =>
    [null, ...statements.keys()].map((position) => ({ memory: id, position })),
  );
}

/** Whether what ended a place, or what ended that in turn, and so on, is among what stays. */
function chainsIn(graph: MemoryGraph, removed: ReadonlySet<string>): (name: string) => boolean {
  const isLeft = ({ memory, position }: Place): boolean =>
    !removed.has(memory) &&
    endersOf(graph.node(memory)!, position, graph).some(({ memory: { id }, by }) =>
      stays({ memory: id, position: by }),
    );
  // Of a removed memory, the statement that ended must itself have been ended.
  const stays = ({ memory, position }: Place): boolean =>
    !removed.has(memory) ||
    graph
      .linksTo(memory)
      .some(
        (link) =>
          (link.position === null || position === null || link.position === position) &&
          stays({ memory: link.from, position: link.by }),
      );
  const names = new Map(placesIn(graph).map((place) => [nameOf(place), place]));
  return (name) => isLeft(names.get(name)!);
}

describe("taking a link back", () => {
  const older = { id: "older", initMs: daysAgo(9), statements: ["Graz.", "Tea."] };
  const again = { id: "again", initMs: daysAgo(8), statements: ["Graz, as I said."] };
  const newer = { id: "newer", initMs: daysAgo(1), statements: ["Vienna.", "Coffee."] };
  const ends = [endOf("again", 0, 0), endOf("older", 0, 0), endOf("older", 1, 1)];
  const pairs = { ...older, pairId: "again" };
  const graph = buildGraph({
    nodes: [pairs, { ...again, pairId: "older" }, { ...newer, ends }],
    edges: [edgeBetween("older", "again", 0.9)],
  });
  const without = (from: Place, to: Place): unknown => linksWithout(from, to, graph);
  const all = (memory: string): Place => ({ memory, position: null });

  it("between two memories takes all of them, also to the memory that says the same", () => {
    expect(without(all("newer"), all("older"))).toEqual([{ id: "newer", ends: [] }]);
    expect(without(all("newer"), all("again"))).toEqual([{ id: "newer", ends: [] }]);
    expect(without(all("again"), all("older"))).toEqual([]);
  });

  it("of a statement, or to one, leaves the others", () => {
    expect(without({ memory: "newer", position: 1 }, all("older"))).toEqual([
      { id: "newer", ends: [endOf("again", 0, 0), endOf("older", 0, 0)] },
    ]);
    expect(without(all("newer"), { memory: "older", position: 0 })).toEqual([
      { id: "newer", ends: [endOf("older", 1, 1)] },
    ]);
    expect(without({ memory: "newer", position: 1 }, { memory: "older", position: 5 })).toEqual([]);
  });
});

describe("a memory that replaces another", () => {
  const others = ["a", "m", "z"].map((id) => ({ id, initMs: daysAgo(9), statements: ["Graz."] }));
  const heir = { id: "heir", initMs: daysAgo(1), statements: [factOf("I live in a flat in Vienna.")] };

  it("takes over what that one had ended, next to its own, whatever statement it was", () => {
    const removed = { id: "old", initMs: daysAgo(5), statements: ["Vienna."], ends: [endOf("a", 0, 0), "z"] };
    expect(passLinks("old", heir, graphOf([...others, removed]))).toEqual({
      ends: [endOf("a", 0), endOf("z")],
      setEnds: [],
    });
    const withHeir = graphOf([...others, removed, { ...heir, ends: [endOf("m", 0, 0), "old"] }]);
    expect(passLinks("old", heir, withHeir)).toEqual({
      ends: [endOf("a", 0), endOf("m", 0, 0), endOf("z")],
      setEnds: [],
    });
  });

  it("is ended as that one was, in what it says again", () => {
    const removed = { id: "old", initMs: daysAgo(5), statements: ["I sing Bach.", "My flat is in Vienna."] };
    const newest = { id: "newest", initMs: daysAgo(0), statements: ["Rome."] };
    const endsOf = (...ends: EndLink[]): unknown =>
      passLinks("old", heir, graphOf([removed, { ...newest, ends }])).setEnds;
    expect(endsOf(endOf("old", 1, 0))).toEqual([{ id: "newest", ends: [endOf("heir", 0, 0)] }]);
    expect(endsOf(endOf("old", 0, 0))).toEqual([{ id: "newest", ends: [] }]);
    expect(endsOf(endOf("old"))).toEqual([{ id: "newest", ends: [endOf("heir")] }]);
    // What ended before it was said again does not end it.
    const late = { ...heir, initMs: daysAgo(-1) };
    expect(passLinks("old", late, graphOf([removed, { ...newest, ends: [endOf("old")] }])).setEnds).toEqual([
      { id: "newest", ends: [] },
    ]);
  });

  it("leaves a sound graph, in which each link is one of theirs, whatever they were", () => {
    fc.assert(
      fc.property(memories(), fc.nat(), fc.nat(), (nodes, removedPick, daysPick) => {
        const graph = graphOf(nodes);
        const removed = graph.node(nodes[removedPick % nodes.length]!.id)!;
        const late = { ...heir, initMs: daysAgo(daysPick % (nodes.length + 1)), statements: removed.statements };
        const { ends, setEnds } = passLinks(removed.id, late, graph);
        const isOlder = ({ memory }: EndLink): boolean => compareAge(graph.node(memory)!, late) < 0;
        expect(ends).toEqual(uniteLinks(removed.ends.filter(isOlder).map((link) => ({ ...link, by: null }))));
        for (const node of [...graph.nodes()].filter(({ id }) => id !== removed.id)) {
          const passed = node.ends.flatMap((link) => {
            if (link.memory !== removed.id) return [link];
            return compareAge(late, node) < 0 ? [{ ...link, memory: "heir" }] : [];
          });
          const found = setEnds.find(({ id }) => id === node.id)?.ends ?? node.ends;
          expect(found).toEqual(uniteLinks(passed));
        }
        graph.apply(changeOf({ putNodes: [embed({ ...late, ends })], removeNodes: [removed.id], setEnds }));
        expect(findViolations(graph, 10)).toEqual([]);
      }),
    );
  });
});

describe("a memory that was cut again", () => {
  const former = ["I like tea.", "I like green tea.", "My sister sings."].map((text) => statementOf(text));
  const statements = [statementOf("My sister sings."), statementOf("I like green tea.")];

  it("has its statements where the same is said now, and all of it stays all", () => {
    const move = movesBetween(former, statements);
    expect([null, 1, 2].map(move)).toEqual([null, 1, 0]);
    // What comes closest: it is said in other words.
    expect(move(0)).toBe(1);
  });

  it("has nothing in the place of what was taken out, whatever else sounds like it", () => {
    const move = movesBetween(former, statements, new Set([0]));
    expect([0, 1, 2].map(move)).toEqual([undefined, 1, 0]);
  });
});

describe("the statement that says the same", () => {
  it("is the one with most words in common, if these are two in five of all", () => {
    const all = [
      statementOf("I sing Bach."),
      statementOf("My flat is in Vienna."),
      statementOf("We have a flat in Vienna now."),
    ];
    expect(findSame(statementOf("I live in a flat in Vienna."), all)).toBe(1);
    expect(findSame(statementOf("I sing."), all)).toBe(0);
    expect(findSame(statementOf("I play the violin."), all)).toBeUndefined();
    expect(findSame(statementOf("I sing."), [])).toBeUndefined();
  });
});
