/** The history from the server: from the newest back, or some of it by id. */
import type { HistoryItem } from "mnemosyne-edge";
import { call, personPath } from "./api.js";

const pageLimitMax = 1_000;
/** An address has to stay short; the server takes twice as much. */
const idsLengthMax = 4_000;

interface HistoryPage {
  readonly interactions: readonly HistoryItem[];
  readonly nextCursor: string | null;
}

export interface NewestHistory {
  /** The newest first: as many as wanted, if there are. */
  readonly items: readonly HistoryItem[];
  readonly hasEarlier: boolean;
}

/** Nothing older than what is wanted is read. */
export async function loadNewest(
  person: string,
  outcomes: string,
  wantedCount: number,
  signal: AbortSignal,
): Promise<NewestHistory> {
  const items: HistoryItem[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(pageLimitMax, wantedCount - items.length);
    const page: HistoryPage = await readPage(person, { outcomes, cursor, limit, newestFirst: true }, signal);
    items.push(...page.interactions);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < wantedCount);
  return { items, hasEarlier: cursor !== null };
}

/** Those of the ids that are in the history, in any order. */
export async function loadNamed(person: string, ids: readonly string[], signal: AbortSignal): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (let from = 0; from < ids.length;) {
    let to = from + 1;
    while (to < ids.length && encodeURIComponent(JSON.stringify(ids.slice(from, to + 1))).length <= idsLengthMax)
      to += 1;
    const named = { ids: JSON.stringify(ids.slice(from, to)), limit: pageLimitMax };
    items.push(...(await readPage(person, named, signal)).interactions);
    from = to;
  }
  return items;
}

interface PageQuery {
  readonly ids?: string;
  readonly outcomes?: string;
  readonly cursor?: string | null;
  readonly limit: number;
  readonly newestFirst?: boolean;
}

async function readPage(person: string, query: PageQuery, signal: AbortSignal): Promise<HistoryPage> {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== false);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return call("GET", `${personPath(person, "history")}?${text}`, { signal });
}
