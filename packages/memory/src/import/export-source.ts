/** What the exports for people and for other programs read, through the public API. */
import type { CoreSummaryView, HistoryItem, Memory, MemorySelection, Outcome } from "../index.js";

/** What is needed of a person's memory. */
export interface ExportSource {
  readonly name: string;
  list(selection?: MemorySelection): PromiseLike<readonly Memory[]>;
  history(selection: MemorySelection & { outcomes: readonly Outcome[] }): PromiseLike<readonly HistoryItem[]>;
  coreSummary(): Promise<CoreSummaryView>;
}

/** Marks the core summary in an export for people: it is made from the rest, and is not imported again. */
export const coreSummaryMark = "<!-- core summary -->";

/** All of a list, page by page where it comes in pages. */
export async function* everyItem<Item>(list: PromiseLike<readonly Item[]> | AsyncIterable<Item>): AsyncGenerator<Item> {
  if (Symbol.asyncIterator in list) yield* list;
  else yield* await list;
}
