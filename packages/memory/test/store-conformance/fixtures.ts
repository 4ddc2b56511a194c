/** Test data for the conformance checks: interactions, memories and batches of a small graph. */
import { type EmbeddedNode, type GraphChange, noChange } from "../../src/core/graph/memory-node.js";
import {
  type AcceptedEntry,
  type Batch,
  type CoreSummary,
  type HistoryEntry,
  type Interaction,
  type PersonSnapshot,
  type SnapshotPage,
  type Store,
  readPages,
} from "../../src/engine/records/person-data.js";

export const person = "ada";
export const dimensions = 8;

export async function commitPair(store: Store): Promise<void> {
  await store.accept(person, interaction("a"), "queued");
  await store.accept(person, interaction("b"), "queued");
  await apply(store, {
    change: { ...noChange, putNodes: [node("a")] },
    outcomes: [{ id: "a", outcome: "committed", trace: '{"n":"a"}' }],
  });
  await apply(store, {
    change: {
      ...noChange,
      putNodes: [node("b", { pairId: "a" })],
      putEdges: [edgeAB],
      setPairs: [{ id: "a", pairId: "b" }],
    },
    outcomes: [{ id: "b", outcome: "paired", trace: '{"n":"b"}' }],
    coreSummary: core,
    commitsSinceCoreSummary: 3,
  });
}

export async function apply(store: Store, parts: Partial<Batch>): Promise<number> {
  return store.apply(person, batch(await store.revision(person), parts));
}

export async function load(store: Store, sinceRevision?: number): Promise<PersonSnapshot & SnapshotPage> {
  const snapshot = await store.load(person, sinceRevision);
  return { ...snapshot, ...(await readPages(snapshot)) };
}

export function batch(baseRevision: number, parts: Partial<Batch>): Batch {
  return { baseRevision, change: noChange, outcomes: [], forgetInteractions: [], ...parts };
}

export function interaction(id: string): Interaction {
  return {
    id,
    initMs: 1_000,
    acceptedMs: 2_000,
    turns: [],
    summary: `summary of ${id}`,
    state: null,
    restored: false,
    kept: false,
    updates: [],
    metadata: {},
    expiresMs: null,
    versions: [],
  };
}

/** Which cursors a store has is its own business. */
export function withoutCursors(entries: readonly HistoryEntry[]): AcceptedEntry[] {
  return entries.map(({ interaction: each, outcome, trace }) => ({ interaction: each, outcome, trace }));
}

export const core: CoreSummary = { text: "Likes music.", updatedMs: 77, sourceIds: ["a"], trace: "{}", facts: "[]" };

export const edgeAB = { a: "a", b: "b", weight: 0.123456789012345, boostMs: 86_400_000.5, boostedMs: 1_000 };

export function node(id: string, parts: Partial<EmbeddedNode["node"]> = {}): EmbeddedNode {
  const seed = id.charCodeAt(0);
  const hasQuery = id !== "c";
  return {
    node: {
      id,
      initMs: 1_000.5,
      pairId: null,
      summaryText: `summary of ${id}`,
      state: id === "a" ? "at home" : null,
      keywords: ["knee", "schmerz", "膝"],
      hypotheticalQuery: hasQuery ? `what about ${id}?` : "",
      questions: [],
      statements: [`first of ${id}.`, `second of ${id}.`],
      updates: [],
      facts: null,
      pinnedArea: null,
      metadata: {},
      expiresMs: null,
      ...parts,
    },
    fullText: `full text of ${id}`,
    summaryVector: vector(seed),
    hypotheticalVector: vector(hasQuery ? seed + 1 : seed),
    statementVectors: [vector(seed + 2), vector(seed + 3)],
    questionVectors: [],
    tokenBytes: null,
  };
}

/** Memories in the order of their ids, with different vectors and different numbers of statements. */
export function manyNodes(count: number): EmbeddedNode[] {
  return Array.from({ length: count }, (_, i) => {
    const { node: made, ...rest } = node(i % 3 === 0 ? "c" : "a");
    const statements = Array.from({ length: i % 4 }, (_, n) => `statement ${n} of ${i}`);
    const summaryVector = vector(i);
    return {
      ...rest,
      node: { ...made, id: `m${String(i).padStart(4, "0")}`, statements },
      summaryVector,
      hypotheticalVector: made.hypotheticalQuery === "" ? summaryVector : vector(i + 1),
      statementVectors: statements.map((_, n) => vector(i + 2 + n)),
    };
  });
}

export function vector(seed: number): Int8Array {
  return Int8Array.from({ length: dimensions }, (_, i) => ((seed * 31 + i * 17) % 255) - 127);
}

/** A graph as plain sorted lists, after a change. */
export function merge(
  known: GraphChange,
  change: GraphChange,
  isWhole: boolean,
): { nodes: EmbeddedNode[]; edges: unknown[] } {
  const nodes = new Map((isWhole ? [] : known.putNodes).map((embedded) => [embedded.node.id, embedded]));
  const edges = new Map((isWhole ? [] : known.putEdges).map((edge) => [`${edge.a}|${edge.b}`, edge]));
  for (const [a, b] of change.removeEdges) edges.delete(`${a}|${b}`);
  for (const id of change.removeNodes) {
    nodes.delete(id);
    for (const [key, edge] of edges) if (edge.a === id || edge.b === id) edges.delete(key);
  }
  for (const embedded of change.putNodes) nodes.set(embedded.node.id, embedded);
  for (const edge of change.putEdges) edges.set(`${edge.a}|${edge.b}`, edge);
  return {
    nodes: [...nodes.values()].sort((x, y) => (x.node.id < y.node.id ? -1 : 1)),
    edges: [...edges].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, edge]) => edge),
  };
}

export function sortedNodes({ putNodes }: GraphChange): EmbeddedNode[] {
  return putNodes.toSorted((x, y) => (x.node.id < y.node.id ? -1 : 1));
}
