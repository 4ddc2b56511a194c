/**
 * The parts of a memory graph (Tables C1 and C2). A memory node is one committed interaction; an edge joins two similar
 * ones. Identifiers sort as text, and an edge names the smaller one first.
 */
import type { QuantizedVector } from "./vectors/quantized-vector.js";
import type { Metadata } from "./metadata.js";
import type { EndLink, Mark, Statement } from "./statement.js";

export interface MemoryNode {
  /** `index` in the paper: the id of the interaction the memory was made from. */
  readonly id: string;
  /** `t_init`: time of the original conversation. */
  readonly initMs: number;
  /** `is_paired`: the memory that says the same. */
  readonly pairId: string | null;
  readonly summaryText: string;
  /** Domain-specific state, such as "post-surgery recovery phase". */
  readonly state: string | null;
  readonly keywords: readonly string[];
  readonly hypotheticalQuery: string;
  /** Questions that the memory answers, each a cue of its own; usually none. */
  readonly questions: readonly string[];
  /** What was said in it, in order, then what a language model wrote of it. */
  readonly statements: readonly Statement[];
  /** The older statements that its own ended, sorted, each once; usually none. */
  readonly ends: readonly EndLink[];
  /** What was decided about its statements by hand or by a wish to forget. */
  readonly marks: readonly Mark[];
  /** As the interaction has it, so that memories can be filtered without reading the history. */
  readonly metadata: Metadata;
  /** When the interaction expires; null if it does not. */
  readonly expiresMs: number | null;
}

/**
 * A memory together with data that is indexed but need not stay with it: its vectors and the interaction's own words.
 */
export interface EmbeddedNode {
  readonly node: MemoryNode;
  /** The interaction in its own words; the lexical index reads them along with the summary. */
  readonly fullText: string;
  readonly summaryVector: QuantizedVector;
  /** Vector of the hypothetical query together with the summary (e_{m_q + m_s} of section 3.2). */
  readonly hypotheticalVector: QuantizedVector;
  /** One vector per statement of the node. */
  readonly statementVectors: readonly QuantizedVector[];
  /** One vector per question of the node. */
  readonly questionVectors: readonly QuantizedVector[];
  /**
   * Vectors of the statements' tokens, packed; a store keeps them as they are. Null if there are none, and in what a store
   * loads: they are large, and `Store.tokens` reads them for a few memories at a time.
   */
  readonly tokenBytes: Uint8Array | null;
}

export interface Edge {
  readonly a: string;
  readonly b: string;
  /** Similarity of the two memories. */
  readonly weight: number;
  /** Accumulated rewind. */
  readonly boostMs: number;
  /** `t_boosted`: time of the last boost; null before the first. */
  readonly boostedMs: number | null;
}

/** What one step changes in a graph; the store and the graph in memory apply the same change. */
export interface GraphChange {
  readonly putNodes: readonly EmbeddedNode[];
  readonly removeNodes: readonly string[];
  readonly putEdges: readonly Edge[];
  readonly removeEdges: readonly (readonly [a: string, b: string])[];
  readonly setPairs: readonly { readonly id: string; readonly pairId: string | null }[];
  readonly setEnds: readonly { readonly id: string; readonly ends: readonly EndLink[] }[];
  readonly setMarks: readonly { readonly id: string; readonly marks: readonly Mark[] }[];
  readonly setMetadata: readonly Pick<MemoryNode, "id" | "metadata" | "expiresMs">[];
}

export const noChange: GraphChange = {
  putNodes: [],
  removeNodes: [],
  putEdges: [],
  removeEdges: [],
  setPairs: [],
  setEnds: [],
  setMarks: [],
  setMetadata: [],
};

/** State and keywords in one text: what a memory is about, whenever it was. */
export function topicText({ state, keywords }: Pick<MemoryNode, "state" | "keywords">): string {
  return [...(state === null ? [] : [state]), ...keywords].join(", ");
}

export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The older memories of which a memory ended something, sorted. */
export function updatesOf({ ends }: Pick<MemoryNode, "ends">): string[] {
  return uniteIds(ends.flatMap(({ memory, isDoubtful }) => (isDoubtful === true ? [] : memory)));
}

/** The ids of several lists, sorted, each once. */
export function uniteIds(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort(compareIds);
}

export function orderedPair(a: string, b: string): [string, string] {
  return a < b ? [a, b] : [b, a];
}

/** Older first: by time, then by id. */
export function compareAge(x: { initMs: number; id: string }, y: { initMs: number; id: string }): number {
  return x.initMs - y.initMs || compareIds(x.id, y.id);
}

export function otherEnd(edge: Pick<Edge, "a" | "b">, id: string): string {
  return edge.a === id ? edge.b : edge.a;
}

/** Strongest first, then by the other end's id, so that every walk over edges has one order. */
export function compareEdgesOf(id: string): (x: Edge, y: Edge) => number {
  return (x, y) => y.weight - x.weight || compareIds(otherEnd(x, id), otherEnd(y, id));
}
