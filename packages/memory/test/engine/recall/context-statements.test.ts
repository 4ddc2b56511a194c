/** What a piece of a memory is worth in a context, by hand: its memory, its vector, its words, and its neighbours. */
import { describe, expect, it } from "vitest";
import { splitTerms } from "../../../src/core/text/words.js";
import { StatementCoverage } from "../../../src/core/text/lexical-index.js";
import { MemoryGraph } from "../../../src/core/graph/memory-graph.js";
import {
  type ContextPiece,
  type PieceSearch,
  findPieces,
  preferNamedSpeakers,
  spreadPieces,
} from "../../../src/engine/recall/context-statements.js";
import { binCount, changeOf, embed } from "../../core/graph/graph-fixtures.js";

const question = Int8Array.of(100, 0);
/** Along the question, across it, against it. */
const [along, across, against] = [Int8Array.of(100, 0), Int8Array.of(0, 100), Int8Array.of(-100, 0)];

const noWords = { of: () => null };

function valuesOf(
  statements: Record<string, Int8Array>,
  memoryValue: number,
  query = "zephyr",
  words: PieceSearch["words"] = noWords,
): number[] {
  const graph = new MemoryGraph(2, binCount);
  const node = {
    ...embed({ id: "m", vector: [1, 1], statements: Object.keys(statements), summaryText: "The whole of it." }),
    statementVectors: Object.values(statements),
  };
  graph.apply(changeOf({ putNodes: [embed({ id: "other", vector: [1, 1] }), node] }));
  // Without saturation a word covers all of its share at once.
  const coverage = new StatementCoverage(splitTerms(query), graph.lexicalIndex, 0);
  const pieces = findPieces(node.node, memoryValue, { query: question, coverage, words, graph });
  expect(pieces.map(({ text }) => text)).toEqual(
    node.node.statements.length === 0 ? ["The whole of it."] : node.node.statements,
  );
  expect(pieces.map(({ position }) => position)).toEqual(pieces.map((_, i) => i));
  return pieces.map(({ value }) => value);
}

describe("the value of a piece", () => {
  it("a single statement: the memory's value, its cosine, the share it covers", () => {
    expect(valuesOf({ "It leaks.": along }, 0.5)).toEqual([1.5]);
    expect(valuesOf({ "It leaks.": across }, 0.5)).toEqual([0.5]);
    expect(valuesOf({ "The zephyr leaks.": across }, 0.5)).toEqual([1.5]);
    expect(valuesOf({ "The zephyr leaks.": against }, 0.5)).toEqual([0.5]);
  });

  it("an answer gains 0.3 of what the better of its neighbours is worth", () => {
    // By themselves: 1.5, 0.5, 0.5, 2.5.
    const values = valuesOf(
      { "Where is it?": along, "Under it.": across, "I see.": across, "The zephyr!": along },
      0.5,
    );
    const expected = [1.5 + 0.3 * 0.5, 0.5 + 0.3 * 1.5, 0.5 + 0.3 * 2.5, 2.5 + 0.3 * 0.5];
    values.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 12));
  });

  it("a model's statement that is word for word what was said is one piece", () => {
    const graph = new MemoryGraph(2, binCount);
    const statements = ["It leaks.", "Under it.", "It leaks."];
    const node = {
      ...embed({ id: "m", vector: [1, 1], statements, summaryText: "It leaks." }),
      statementVectors: [along, across, along],
    };
    graph.apply(changeOf({ putNodes: [node] }));
    const coverage = new StatementCoverage(splitTerms("zephyr"), graph.lexicalIndex, 0);
    const pieces = findPieces(node.node, 0, { query: question, coverage, words: noWords, graph });
    expect(pieces.map(({ text, position }) => [text, position])).toEqual([
      ["It leaks.", 0],
      ["Under it.", 1],
    ]);
  });

  it("how well its words match those of the question", () => {
    const words = { of: () => ({ statements: Float64Array.of(0.25, 0), best: 0.25, window: 0.25, whole: 0.25 }) };
    const values = valuesOf({ "It leaks.": across, "Under it.": across }, 0.5, "zephyr", words);
    expect(values[0]).toBeCloseTo(0.75 + 0.3 * 0.5, 12);
    expect(values[1]).toBeCloseTo(0.5 + 0.3 * 0.75, 12);
  });

  it("what was said goes before the summary of it, unless there is only a summary", () => {
    const texts = { "The whole of it.": across, "Ann: It leaks under it.": across, "A model says it leaks.": across };
    expect(valuesOf(texts, 0.5)).toEqual([0.5 + 0.3 * 0.5 - 0.3, 0.5 + 0.3 * 0.5, 0.5 + 0.3 * 0.5]);
    expect(valuesOf({ "The whole of it.": across }, 0.5)).toEqual([0.5]);
  });

  it("a memory without statements is its summary, worth as much as the memory", () => {
    expect(valuesOf({}, 0.7)).toEqual([0.7]);
  });

  it("of a memory that was not there when the others were compared comes after all of them", () => {
    expect(valuesOf({ "It leaks.": along, "The zephyr leaks.": along }, -Infinity)).toEqual([-Infinity, -Infinity]);
  });
});

function piecesOf(values: readonly number[], texts: readonly string[] = []): ContextPiece[] {
  const { node: memory } = embed({ id: "m", vector: [1, 1], summaryText: "The whole of it." });
  return values.map((value, position) => ({ memory, position, text: texts[position] ?? "It leaks.", value }));
}

it("spread: the best piece of a memory stays, each further one loses once more", () => {
  const spread = spreadPieces(piecesOf([1, 3, 2, 2]), 0.25);
  expect(spread.map(({ value, position }) => [position, value])).toEqual([
    [0, 1 - 0.75],
    [1, 3],
    [2, 2 - 0.25],
    [3, 2 - 0.5],
  ]);
});

it("what somebody said whom the question names gains", () => {
  const texts = ["Ann: It leaks.", "ann lee: It leaks.", "Anna: It leaks.", "user: Ann came.", "Ann came."];
  const gained = (query: string): number[] =>
    preferNamedSpeakers(piecesOf([1, 1, 1, 1, 1], texts), query, 0.5).map(({ value }) => value);
  expect(gained("What did Ann’s plumber say?")).toEqual([1.5, 1, 1, 1, 1]);
  expect(gained("Who called Ann Lee?")).toEqual([1.5, 1.5, 1, 1, 1]);
  expect(gained("Does it leak?")).toEqual([1, 1, 1, 1, 1]);
});
