/** A graph built from records is the same as one built from the memories, read or unread. */
import fc from "fast-check";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { describe, expect, it } from "vitest";
import { MemoryGraph } from "../../../src/graph/memory-graph.js";
import { type EmbeddedNode, noChange } from "../../../src/graph/memory-node.js";
import { type Statement, abouts, markKinds, statementKinds } from "../../../src/graph/statement.js";
import { querySimilarities } from "../../../src/paper/query-similarity.js";
import { finish } from "../../../src/text/steps.js";
import { GraphLoading, type OpenedRecord } from "../../../src/engine/records/graph-loading.js";
import { kinds } from "../../../src/engine/records/kinds.js";
import { parseParameters } from "../../../src/parameters.js";
import { endOf, markOf } from "../../graph/graph-fixtures.js";
import { bareInteraction } from "../bare-interaction.js";
import { applyBatch, momentOf, recordsOf } from "./opened-records.js";

const dimensions = 12;
const words = fc.constantFrom("knee", "Knee's", "pain", "148/84", "膝が痛い", "walking", "walked", "the", "naïve", "");
const text = fc.array(words, { maxLength: 12 }).map((list) => list.join(" "));
const vector = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions });
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0);
const statement: fc.Arbitrary<Statement> = fc.record({
  text,
  turn: fc.option(fc.nat({ max: 3 })),
  who: fc.option(fc.constantFrom("user", "Zoë")),
  asked: fc.option(text),
  kind: fc.constantFrom(...statementKinds),
  reading: fc.option(
    fc.record({
      fact: share,
      about: fc.constantFrom(...abouts),
      area: fc.constantFrom("health" as const, "home" as const),
      lasting: share,
      alone: share,
    }),
  ),
});
const position = fc.option(fc.nat({ max: 9 }));
const marks = fc.array(
  fc.record({ position, kind: fc.constantFrom(...markKinds), area: fc.option(fc.constant("home")) }),
  { maxLength: 2 },
);
const sketch = fc.record({
  summaryText: text,
  fullText: text,
  initMs: fc.integer({ min: -1e12, max: 1e13 }).map((ms) => ms + 0.5),
  state: fc.option(text),
  keywords: fc.uniqueArray(words, { maxLength: 4 }),
  query: text,
  statements: fc.array(statement, { maxLength: 4 }),
  questions: fc.array(text, { maxLength: 2 }),
  marks,
  end: fc.tuple(position, position),
  metadata: fc.dictionary(
    fc.constantFrom("agent", "naïve 漢字", "7", "tags"),
    fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
      fc.boolean(),
      fc.array(fc.string()),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
  expiresMs: fc.option(fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((ms) => ms + 0)),
  vectors: fc.array(vector, { minLength: 9, maxLength: 9 }),
});

type Sketch = typeof sketch extends fc.Arbitrary<infer Value> ? Value : never;

function toMemory(made: Sketch, i: number): EmbeddedNode {
  const { summaryText, fullText, initMs, state, keywords, query, statements, questions, marks: own, end } = made;
  const [summary, hypothetical, ...cues] = made.vectors.map((numbers) => Int8Array.from(numbers));
  const ends = i % 5 === 4 ? [endOf(`m${i - 1}`, ...end)] : [];
  const notes = { metadata: made.metadata, expiresMs: made.expiresMs };
  const said = { summaryText, state, keywords, hypotheticalQuery: query, questions, statements };
  return {
    node: { id: `m${i}`, initMs, pairId: i % 3 === 0 ? `m${i + 1}` : null, ...said, ends, marks: own, ...notes },
    fullText,
    summaryVector: summary!,
    hypotheticalVector: query === "" ? summary! : hypothetical!,
    statementVectors: cues.slice(0, statements.length),
    questionVectors: cues.slice(4, 4 + questions.length),
    tokenBytes: null,
  };
}

/** How the bytes of a page lie: apart, as views of one piece that begins with others, or with terms of an earlier release. */
const layouts = ["apart", "together", "outdated"] as const;
type Layout = (typeof layouts)[number];

function lay(records: readonly OpenedRecord[], layout: Layout): OpenedRecord[] {
  if (layout === "apart") return records.map((record) => ({ ...record, bytes: Uint8Array.from(record.bytes) }));
  const others = 12;
  const piece = new Uint8Array(others + records.reduce((sum, { bytes }) => sum + bytes.byteLength + 4, 0));
  let at = others;
  return records.map((record) => {
    const { byteLength } = record.bytes;
    piece.set(record.bytes, at);
    const bytes = piece.subarray(at, at + byteLength);
    at += byteLength + (-byteLength & 3);
    if (layout === "outdated" && record.kind === kinds.memory) {
      const termCount = new DataView(bytes.buffer, bytes.byteOffset).getInt32(40, true);
      bytes.fill(0, 0, 4).fill(0, 48, 48 + termCount * 4);
    }
    return { ...record, bytes };
  });
}

async function storeOf(memories: readonly EmbeddedNode[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  const acceptEntries = memories.map(({ node: { id, metadata, expiresMs } }) => ({
    interaction: { ...bareInteraction, id, metadata, expiresMs },
    outcome: "committed" as const,
    trace: null,
  }));
  await applyBatch(store, { acceptEntries, change: { ...noChange, putNodes: memories } });
  return store;
}

async function load(store: MemoryStore, layout: Layout): Promise<MemoryGraph> {
  const graph = new MemoryGraph(dimensions, 3);
  const loading = new GraphLoading("ada", graph);
  for await (const { records } of (await (await recordsOf(store)).readGraph("ada", 0)).pages) {
    await loading.take(lay(records, layout));
  }
  await loading.end();
  return graph;
}

/** Everything that can be asked of a graph. */
function describeGraph(graph: MemoryGraph, ids: readonly string[]): unknown {
  const parameters = parseParameters();
  const query = Int8Array.from({ length: dimensions }, (_, i) => i * 9 - 50);
  const coverages = new Float64Array(graph.slotCount);
  const terms = ["knee", "pain", "walk", "148/84", "膝", "nobody"];
  graph.lexicalIndex.coverages(terms, coverages);
  const similarities = querySimilarities(graph, query, parameters);
  return {
    counts: [graph.nodeCount, graph.slotCount, graph.putCount, graph.byteCount, graph.lexicalIndex.documentCount],
    frequencies: terms.map((term) => graph.lexicalIndex.documentFrequency(term)),
    shared: [...graph.sharedKeywords(["knees", "pain", "148/84"])].sort(([x], [y]) => x - y),
    memories: ids.map((id) => {
      const slot = graph.slotOf(id);
      return {
        id: graph.idAt(slot),
        initMs: graph.initMs[slot],
        lasts: graph.lastsAt(slot),
        isMarked: graph.isMarkedAt(slot),
        notes: [graph.metadataAt(slot), graph.expiresMsAt(slot)],
        keywordCount: graph.keywordCounts[slot],
        holds: terms.map((term) => graph.lexicalIndex.holds(slot, term)),
        coverage: coverages[slot],
        similarity: similarities[slot],
        vectors: [graph.summaryVectors, graph.hypotheticalVectors].map((table) => table.get(slot)),
        statements: graph.statements.vectorsOf(slot),
        questions: graph.questions.vectorsOf(slot),
        linksTo: graph.linksTo(id),
        node: graph.node(id),
      };
    }),
    lasting: new Map(graph.lasting()),
    marked: new Set(graph.markedIds()),
    all: [...graph.nodes()],
  };
}

describe("a loaded graph", () => {
  it.each(layouts)("says the same as one built from the memories, also after changes: %s", async (layout) => {
    await fc.assert(
      fc.asyncProperty(fc.array(sketch, { minLength: 1, maxLength: 30 }), async (made) => {
        const memories = made.map(toMemory);
        const store = await storeOf(memories);
        expect((await momentOf(store)).nodes).toEqual(memories);
        const plain = new MemoryGraph(dimensions, 3);
        plain.apply({ ...noChange, putNodes: memories });
        const packed = await load(store, layout);
        const ids = memories.map(({ node }) => node.id);
        expect(describeGraph(packed, ids)).toEqual(describeGraph(plain, ids));
        expect(packed.lexicalIndex.termCount).toBe(plain.lexicalIndex.termCount);

        const again = { ...noChange, putNodes: memories.slice(0, 1), removeNodes: ids.slice(1, 3) };
        const changed = await load(store, layout);
        for (const graph of [plain, changed]) {
          graph.apply({
            ...again,
            setMarks: ids.slice(3, 4).map((id) => ({ id, marks: [markOf("pinned", 0, "garden")] })),
            setMetadata: ids.slice(4, 6).map((id) => ({ id, metadata: { other: ["x"] }, expiresMs: 5 })),
          });
          finish(graph.readSteps());
        }
        const left = [...ids.slice(0, 1), ...ids.slice(3)];
        expect(describeGraph(changed, left)).toEqual(describeGraph(plain, left));
      }),
      { numRuns: 25 },
    );
  });
});
