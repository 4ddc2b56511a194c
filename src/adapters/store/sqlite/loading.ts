/**
 * Reading a person's graph on the store's thread. It happens within one transaction, so it is all from one moment; it
 * goes page by page to the caller's thread, which builds the graph at the same time. A page is bytes that are
 * transferred instead of copied: the serialized rows, and all their vectors one after another. The caller unpacks a
 * page when it is ready for it, so that a backlog of pages does not block its event loop.
 */
import { serialize } from "node:v8";
import type { SqliteConnection } from "./connection.js";
import type { EdgeRow, LoadedHead, MemoryRow, PackedPage, PageRows, RemovalRow } from "./rows.js";

const memoriesPerPage = 100;
const edgesPerPage = 500;

export interface PersonRow {
  readonly key: number;
  readonly revision: number;
  readonly whole_below: number;
  readonly core_summary: string | null;
  readonly commits_since_core_summary: number;
}

/** What is sent to the caller: the head first, then the pages, memories before edges. */
export interface LoadReceiver {
  takeHead(head: LoadedHead): void;
  takePage(page: PackedPage): void;
}

export function loadPerson(
  connection: SqliteConnection,
  person: PersonRow | undefined,
  sinceRevision: number,
  receiver: LoadReceiver,
): void {
  const isWhole = person === undefined || sinceRevision < person.whole_below || sinceRevision > person.revision;
  const bind = [person?.key ?? -1, isWhole ? -1 : sinceRevision];
  receiver.takeHead({
    revision: person?.revision ?? 0,
    isWhole,
    removals: isWhole ? [] : (connection.all(removalSql, bind) as unknown[] as RemovalRow[]),
    coreSummary: person?.core_summary ?? null,
    commitsSinceCoreSummary: person?.commits_since_core_summary ?? 0,
  });
  for (const rows of inPages(connection.iterateValues(memorySql, bind), memoriesPerPage)) {
    receiver.takePage(packMemories(rows));
  }
  for (const rows of inPages(connection.iterateValues(edgeSql, bind), edgesPerPage)) {
    const edges = rows as unknown[] as EdgeRow[];
    receiver.takePage({ rows: serialize({ memories: [], edges } satisfies PageRows), vectors: new Uint8Array(0) });
  }
}

/** Keys are sorted first: sorting whole rows would copy every text and vector. */
const memorySql = `
  WITH wanted AS MATERIALIZED (SELECT key FROM memory WHERE person = ? AND revision > ? ORDER BY key)
  SELECT id, init_ms, pair_id, summary_text, full_text, state, keywords, hypothetical_query, statements,
    meta_phrase, meta_from_ms, meta_until_ms, vectors, meta_vector
  FROM wanted CROSS JOIN memory ON memory.key = wanted.key`;

const edgeSql = `
  SELECT ma.id, mb.id, e.weight, e.boost_ms, e.boosted_ms
  FROM edge e JOIN memory ma ON ma.key = e.a JOIN memory mb ON mb.key = e.b
  WHERE e.person = ? AND e.revision > ? ORDER BY e.a, e.b`;

const removalSql = "SELECT a, b FROM removal WHERE person = ? AND revision > ?";

function* inPages(rows: Iterable<unknown[]>, countMax: number): Generator<unknown[][]> {
  let page: unknown[][] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < countMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** In the rows, the two vector columns become their lengths. */
function packMemories(rows: unknown[][]): PackedPage {
  const buffers: ArrayBuffer[] = [];
  for (const row of rows) {
    for (let column = row.length - 2; column < row.length; column++) {
      const buffer = row[column] as ArrayBuffer | null;
      if (buffer !== null) buffers.push(buffer);
      row[column] = buffer?.byteLength ?? 0;
    }
  }
  const memories = rows as unknown[] as MemoryRow[];
  return { rows: serialize({ memories, edges: [] } satisfies PageRows), vectors: joinBuffers(buffers) };
}

function joinBuffers(buffers: readonly ArrayBuffer[]): Uint8Array {
  const joined = new Uint8Array(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const buffer of buffers) {
    joined.set(new Uint8Array(buffer), at);
    at += buffer.byteLength;
  }
  return joined;
}
