/**
 * A graph as it is after a change, before the change is applied: the records of the memories that it touches. The store
 * writes them first; the graph in memory follows only if that succeeded.
 */
import type { IndexedTerms } from "../../graph/indexed-terms.js";
import type { MemoryGraph } from "../../graph/memory-graph.js";
import { type Edge, type EmbeddedNode, type GraphChange, type MemoryNode, otherEnd } from "../../graph/memory-node.js";
import { StoreError } from "../../errors.js";
import type { Payload } from "../../stores/codec.js";
import { goneLayout, kinds, layout } from "./kinds.js";
import { ownerOf, packLinksRecord } from "./links-record.js";
import { type MemoryLinks, memoryContent } from "./memory-content.js";

export interface PackedRecord {
  readonly kind: string;
  readonly id: string;
  readonly payload: Payload;
}

/** In place of a memory that is no longer one, though its interaction stays: other processes learn of it. */
const gone: Payload = { layout: goneLayout, bytes: new Uint8Array(0) };

export class ChangedGraph {
  readonly #change: GraphChange;
  readonly #graph: MemoryGraph;
  readonly #put: ReadonlyMap<string, EmbeddedNode>;
  readonly #forgotten: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;
  readonly #parts: ReadonlyMap<string, Partial<MemoryLinks>>;
  readonly #putEdges: ReadonlyMap<string, Edge>;
  readonly #removedEdges: ReadonlySet<string>;

  /** `forgotten`: memories that are removed along with their interactions. */
  constructor(change: GraphChange, forgotten: readonly string[], graph: MemoryGraph) {
    this.#change = change;
    this.#graph = graph;
    this.#put = new Map(change.putNodes.map((embedded) => [embedded.node.id, embedded]));
    this.#forgotten = new Set(forgotten);
    this.#removed = new Set([...change.removeNodes, ...forgotten]);
    this.#parts = linkChanges(change);
    this.#putEdges = new Map(change.putEdges.map((edge) => [edgeKey(edge), edge]));
    this.#removedEdges = new Set(change.removeEdges.map(([a, b]) => edgeKey({ a, b })));
  }

  /** Links come before the content, so that a load has read them when the content arrives. */
  records(terms: IndexedTerms): PackedRecord[] {
    const records: PackedRecord[] = [];
    for (const id of this.#change.removeNodes) {
      if (this.#put.has(id) || this.#forgotten.has(id)) continue;
      for (const kind of [kinds.links, kinds.memory, kinds.tokens]) records.push({ kind, id, payload: gone });
    }
    const edges = this.#ownEdges();
    for (const [id, own] of edges) {
      const node = this.#node(id);
      if (node !== undefined) records.push({ kind: kinds.links, id, payload: packLinksRecord(node, own) });
    }
    for (const [id, embedded] of this.#put) {
      const content = memoryContent(embedded, terms.get(id));
      records.push({ kind: kinds.memory, id, payload: { layout, bytes: content } });
      const { tokenBytes } = embedded;
      if (tokenBytes !== null) records.push({ kind: kinds.tokens, id, payload: { layout, bytes: tokenBytes } });
      else if (this.#graph.node(id) !== undefined) records.push({ kind: kinds.tokens, id, payload: gone });
    }
    return records;
  }

  /** The edges after the change, by the memories whose records it alters. */
  #ownEdges(): Map<string, Edge[]> {
    const altered = new Map<string, Edge[]>();
    for (const id of this.#alteredIds()) altered.set(id, []);
    const seen = new Set<string>();
    const add = (edge: Edge): void => {
      const key = edgeKey(edge);
      if (seen.has(key)) return;
      seen.add(key);
      altered.get(this.#ownerAfter(edge))?.push(edge);
    };
    for (const edge of this.#putEdges.values()) add(edge);
    for (const id of altered.keys()) {
      if (this.#removed.has(id)) continue;
      for (const edge of this.#graph.edgesOf(id)) if (this.#isKept(edge)) add(edge);
    }
    return altered;
  }

  #alteredIds(): Set<string> {
    const { putEdges, removeEdges } = this.#change;
    const ids = new Set([...this.#put.keys(), ...this.#parts.keys()]);
    const addOwners = (edge: Pick<Edge, "a" | "b">): void => {
      const [a, b] = [this.#graph.node(edge.a), this.#graph.node(edge.b)];
      if (a !== undefined && b !== undefined) ids.add(ownerOf(a, b).id);
      if (this.#node(edge.a) !== undefined && this.#node(edge.b) !== undefined) ids.add(this.#ownerAfter(edge));
    };
    for (const edge of putEdges) {
      const missing = [edge.a, edge.b].find((id) => this.#node(id) === undefined);
      if (missing !== undefined) throw missingMemory(missing);
      addOwners(edge);
    }
    for (const [a, b] of removeEdges) addOwners({ a, b });
    for (const id of [...this.#put.keys(), ...this.#removed]) {
      if (this.#graph.node(id) === undefined) continue;
      for (const edge of this.#graph.edgesOf(id)) addOwners(edge);
    }
    for (const { pairId } of this.#change.setPairs) {
      if (pairId !== null && this.#node(pairId) === undefined) throw missingMemory(pairId);
    }
    for (const id of this.#parts.keys()) if (this.#node(id) === undefined) throw missingMemory(id);
    return ids;
  }

  /** Undefined for one that is not there after the change. */
  #node(id: string): MemoryNode | undefined {
    const node = this.#put.get(id)?.node ?? (this.#removed.has(id) ? undefined : this.#graph.node(id));
    return node && { ...node, ...this.#parts.get(id) };
  }

  #ownerAfter({ a, b }: Pick<Edge, "a" | "b">): string {
    return ownerOf(this.#node(a)!, this.#node(b)!).id;
  }

  #isKept(edge: Edge): boolean {
    const key = edgeKey(edge);
    if (this.#putEdges.has(key) || this.#removedEdges.has(key)) return false;
    return !this.#removed.has(edge.a) && !this.#removed.has(edge.b);
  }
}

/** Makes the edges that memories keep those of their records. */
export function edgeDifference(
  id: string,
  edges: readonly Edge[],
  graph: MemoryGraph,
): Pick<GraphChange, "putEdges" | "removeEdges"> {
  const node = graph.node(id);
  const kept = new Set(edges.map(edgeKey));
  const known = node === undefined ? [] : graph.edgesOf(id);
  const isOwn = (edge: Edge): boolean => ownerOf(node!, graph.node(otherEnd(edge, id))!).id === id;
  const lost = known.filter((edge) => isOwn(edge) && !kept.has(edgeKey(edge)));
  return { putEdges: edges, removeEdges: lost.map(({ a, b }) => [a, b] as const) };
}

/** By memory, what changes apart from its content. */
function linkChanges(change: GraphChange): Map<string, Partial<MemoryLinks>> {
  const changes = new Map<string, Partial<MemoryLinks>>();
  const set = (id: string, parts: Partial<MemoryLinks>): void => void changes.set(id, { ...changes.get(id), ...parts });
  for (const { id, pairId } of change.setPairs) set(id, { pairId });
  for (const { id, ends } of change.setEnds) set(id, { ends });
  for (const { id, marks } of change.setMarks) set(id, { marks });
  for (const { id, metadata, expiresMs } of change.setMetadata) set(id, { metadata, expiresMs });
  return changes;
}

function edgeKey({ a, b }: Pick<Edge, "a" | "b">): string {
  return JSON.stringify([a, b]);
}

function missingMemory(id: string): StoreError {
  return new StoreError("store_corrupt", `the change names memory "${id}", which does not exist; nothing was changed`);
}
