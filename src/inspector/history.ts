/** The history from the server: pages in the order in which things came. It can be read forward only, from any place. */
import type { HistoryItem } from "../index.js";
import { call, personPath } from "./api.js";

export interface HistoryPage {
  readonly interactions: readonly HistoryItem[];
  readonly nextCursor: string | null;
}

/** From a place on, or from the beginning, to the end. `outcomes` are names with commas; empty means all. */
export async function* historyPages(
  person: string,
  outcomes: string,
  signal: AbortSignal,
  { from = null, limit = 1_000 }: { readonly from?: string | null; readonly limit?: number } = {},
): AsyncGenerator<HistoryPage> {
  let cursor = from;
  do {
    const query = new URLSearchParams({ limit: String(limit) });
    if (outcomes !== "") query.set("outcomes", outcomes);
    if (cursor !== null) query.set("cursor", cursor);
    const path = `${personPath(person, "history")}?${query.toString()}`;
    const page: HistoryPage = await call("GET", path, { signal });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Where each page begins that was read before, and how much was on it: what is kept of pages that are not shown. */
export interface Bookmarks {
  readonly starts: (string | null)[];
  readonly counts: number[];
}

export interface NewestHistory {
  /** The newest first: at least as many as wanted, if there are. */
  readonly items: readonly HistoryItem[];
  readonly totalCount: number;
}

export function noBookmarks(): Bookmarks {
  return { starts: [null], counts: [] };
}

/** Passes through everything once; with the bookmarks of an earlier pass it begins where the wanted ones do. */
export async function loadNewest(
  person: string,
  outcomes: string,
  wantedCount: number,
  { starts, counts }: Bookmarks,
  signal: AbortSignal,
): Promise<NewestHistory> {
  let number = pageWith(wantedCount, counts);
  let kept: HistoryPage[] = [];
  for await (const page of historyPages(person, outcomes, signal, { from: starts[number] ?? null })) {
    counts[number] = page.interactions.length;
    number += 1;
    starts[number] = page.nextCursor;
    kept.push(page);
    kept = kept.slice(
      pageWith(
        wantedCount,
        kept.map(({ interactions }) => interactions.length),
      ),
    );
  }
  counts.length = number;
  return {
    items: kept.flatMap(({ interactions }) => interactions).toReversed(),
    totalCount: counts.reduce((sum, each) => sum + each, 0),
  };
}

/** The last page from which on there are as many as wanted; the first one if there are fewer. */
function pageWith(wantedCount: number, counts: readonly number[]): number {
  let sum = 0;
  for (let number = counts.length - 1; number > 0; number--) {
    sum += counts[number]!;
    if (sum >= wantedCount) return number;
  }
  return 0;
}
