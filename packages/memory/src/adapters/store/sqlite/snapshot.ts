/**
 * A load as the caller sees it: what arrives from the store's thread waits here, still packed, until it is requested.
 */
import { deserialize } from "node:v8";
import { noChange } from "../../../core/graph/memory-node.js";
import type { CoreSummary, PersonSnapshot, SnapshotPage } from "../../../ports/store.js";
import type { LoadedPage } from "./loading.js";
import { LoadedNodes } from "./loaded-nodes.js";
import { type LoadedHead, type PagedEdge, toEdge, toRemovals } from "./rows.js";

export class ArrivingSnapshot {
  #head: LoadedHead | undefined;
  readonly #pages: LoadedPage[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  takeHead(head: LoadedHead): void {
    this.#head = head;
    this.#wake();
  }

  takePage(page: LoadedPage): void {
    this.#pages.push(page);
    this.#wake();
  }

  /** Nothing more will arrive; if there is an error, some of it is missing. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#wake();
  }

  async read(): Promise<PersonSnapshot> {
    await this.#arrival(() => this.#head !== undefined);
    const { revision, isWhole, coreSummary, commitsSinceCoreSummary } = this.#head!;
    return {
      revision,
      isWhole,
      coreSummary: coreSummary === null ? null : (JSON.parse(coreSummary) as CoreSummary),
      commitsSinceCoreSummary,
      pages: this.#readPages(this.#head!),
    };
  }

  async *#readPages({ removals }: LoadedHead): AsyncGenerator<SnapshotPage> {
    if (removals.length > 0) yield { change: toRemovals(removals) };
    for (;;) {
      await this.#arrival(() => this.#pages.length > 0);
      const page = this.#pages.shift();
      if (page === undefined) return;
      yield unpackPage(page);
    }
  }

  /** Waits until something is there or nothing more will arrive. */
  async #arrival(isThere: () => boolean): Promise<void> {
    while (!isThere() && this.#end === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (!isThere() && this.#end?.error !== undefined) throw this.#end.error;
  }
}

function unpackPage(page: LoadedPage): SnapshotPage {
  if ("memories" in page) return { change: noChange, packed: new LoadedNodes(page.memories) };
  const putEdges = (deserialize(page.edges) as PagedEdge[]).map(toEdge);
  return { change: { ...noChange, putEdges } };
}
