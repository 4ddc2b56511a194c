/** The edges of a graph, found from both ends. */
import type { Edge } from "./memory-node.js";

export class EdgeTable {
  readonly #byEnd = new Map<string, Map<string, Edge>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get(a: string, b: string): Edge | undefined {
    return this.#byEnd.get(a)?.get(b);
  }

  /** Edges of a memory, in no particular order. */
  of(id: string): Iterable<Edge> {
    return this.#byEnd.get(id)?.values() ?? [];
  }

  degree(id: string): number {
    return this.#byEnd.get(id)?.size ?? 0;
  }

  boostedDegree(id: string): number {
    let count = 0;
    for (const { boostMs } of this.of(id)) if (boostMs > 0) count++;
    return count;
  }

  *all(): IterableIterator<Edge> {
    for (const [id, edges] of this.#byEnd) {
      for (const edge of edges.values()) if (edge.a === id) yield edge;
    }
  }

  put(edge: Edge): void {
    if (this.get(edge.a, edge.b) === undefined) this.#count++;
    this.#from(edge.a).set(edge.b, edge);
    this.#from(edge.b).set(edge.a, edge);
  }

  remove(a: string, b: string): void {
    if (this.get(a, b) === undefined) return;
    this.#count--;
    this.#byEnd.get(a)!.delete(b);
    this.#byEnd.get(b)!.delete(a);
  }

  removeEnd(id: string): void {
    for (const { a, b } of this.of(id)) this.remove(a, b);
    this.#byEnd.delete(id);
  }

  #from(id: string): Map<string, Edge> {
    let edges = this.#byEnd.get(id);
    if (edges === undefined) this.#byEnd.set(id, (edges = new Map()));
    return edges;
  }
}
