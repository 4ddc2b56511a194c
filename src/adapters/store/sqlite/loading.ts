/**
 * Reading a person's graph on the store's thread. It happens within one transaction, so it is all from one moment; it
 * goes page by page to the caller's thread, which builds the graph at the same time. A page is bytes that are
 * transferred instead of copied: the serialized rows, and all their contents one after another. The caller
 * unpacks a page when it is ready for it, so that a backlog of pages does not block its event loop.
 *
 * Every row is checked by its mark here; a whole graph is also compared with the person's tally at the end, so that
 * nothing is missing.
 */
import { serialize } from "node:v8";
import { MarkSum, type RowReader, checkEdge, checkMemory, edgeColumns, memoryColumns } from "./reading.js";
import {
  type EdgeRow,
  type LoadedHead,
  type MemoryRow,
  type PackedPage,
  type PagedEdge,
  type PageRows,
  type PersonRow,
  isMetaWhole,
} from "./rows.js";

const memoriesPerPage = 100;
const edgesPerPage = 500;

/** What is sent to the caller: the head first, then the pages, memories before edges. */
export interface LoadReceiver {
  takeHead(head: LoadedHead): void;
  takePage(page: PackedPage): void;
}

export function loadPerson(
  reader: RowReader,
  person: PersonRow | undefined,
  sinceRevision: number,
  receiver: LoadReceiver,
): void {
  if (person === undefined) {
    receiver.takeHead({ revision: 0, isWhole: true, removals: [], coreSummary: null, commitsSinceCoreSummary: 0 });
    return;
  }
  const { revision, wholeBelow, coreSummary, commitsSinceCoreSummary } = person;
  const isWhole = sinceRevision < wholeBelow || sinceRevision > revision;
  const removals = isWhole ? [] : reader.removals(person, sinceRevision);
  receiver.takeHead({ revision, isWhole, removals, coreSummary, commitsSinceCoreSummary });
  const loading = new Loading(reader, person, isWhole ? -1 : sinceRevision, receiver);
  loading.sendMemories();
  loading.sendEdges();
  if (isWhole) loading.checkSums();
}

class Loading {
  readonly #reader: RowReader;
  readonly #person: PersonRow;
  readonly #bind: readonly [person: number, sinceRevision: number];
  readonly #receiver: LoadReceiver;
  /** Ids of memories by their keys, which is what edges name. */
  readonly #ids = new Map<number, string>();
  readonly #memorySum = new MarkSum();
  readonly #edgeSum = new MarkSum();

  constructor(reader: RowReader, person: PersonRow, sinceRevision: number, receiver: LoadReceiver) {
    this.#reader = reader;
    this.#person = person;
    this.#bind = [person.key, sinceRevision];
    this.#receiver = receiver;
  }

  sendMemories(): void {
    for (const rows of inPages(this.#reader.connection.iterateValues(memorySql, this.#bind), memoriesPerPage)) {
      this.#receiver.takePage(this.#packMemories(rows));
    }
  }

  sendEdges(): void {
    for (const rows of inPages(this.#reader.connection.iterateValues(edgeSql, this.#bind), edgesPerPage)) {
      const edges = rows.map((values) => this.#toPaged(this.#takeEdge(values)));
      this.#receiver.takePage({
        rows: serialize({ memories: [], edges } satisfies PageRows),
        bytes: new Uint8Array(0),
      });
    }
  }

  checkSums(): void {
    const { memoryCount, memoryMarks, edgeCount, edgeMarks } = this.#reader.tally(this.#person);
    const { name } = this.#person;
    this.#reader.expect(this.#memorySum.is(memoryCount, memoryMarks), {
      person: name,
      id: null,
      part: "the list of memories is incomplete",
    });
    this.#reader.expect(this.#edgeSum.is(edgeCount, edgeMarks), {
      person: name,
      id: null,
      part: "the list of edges is incomplete",
    });
  }

  #packMemories(rows: readonly unknown[][]): PackedPage {
    const parts: Uint8Array[] = [];
    const memories = rows.map((values) => {
      const { id, pairId, updates, pinnedArea, content } = this.#takeMemory(values);
      const meta = this.#metaOf(id, values.at(-1));
      parts.push(content, meta);
      return [id, pairId, updates, pinnedArea, content.byteLength, meta.byteLength] as const;
    });
    // Copied, because small buffers are slices of one that cannot be transferred.
    const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    return { rows: serialize({ memories, edges: [] } satisfies PageRows), bytes };
  }

  #takeMemory(values: readonly unknown[]): MemoryRow {
    const checked = checkMemory(values, this.#reader.connection.marker, this.#person.name);
    const row = this.#memorySum.take(this.#reader.wholeWithMark(checked));
    this.#ids.set(row.key, row.id);
    return row;
  }

  /** A vector of a naturalized time that is damaged is computed again. */
  #metaOf(id: string, meta: unknown): Uint8Array {
    const isWhole = Buffer.isBuffer(meta) && isMetaWhole(id, meta, this.#reader.connection.marker);
    return isWhole ? meta : new Uint8Array(0);
  }

  #takeEdge(values: readonly unknown[]): EdgeRow {
    const checked = checkEdge(values, this.#reader.connection.marker, this.#person.name);
    return this.#edgeSum.take(this.#reader.wholeWithMark(checked));
  }

  #toPaged({ a, b, weight, boostMs, boostedMs }: EdgeRow): PagedEdge {
    return [this.#idOf(a), this.#idOf(b), weight, boostMs, boostedMs];
  }

  /** A difference has edges of memories that are not part of it. */
  #idOf(key: number): string {
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#reader.memoryId(this.#person, key)));
    return id;
  }
}

/** Keys are sorted first: sorting whole rows would copy every text and vector. */
const memorySql = `
  WITH wanted AS MATERIALIZED (SELECT key FROM memory WHERE person = ? AND revision > ? ORDER BY key)
  SELECT ${memoryColumns} FROM wanted CROSS JOIN memory m ON m.key = wanted.key`;

const edgeSql = `SELECT ${edgeColumns} FROM edge e WHERE e.person = ? AND e.revision > ? ORDER BY e.a, e.b`;

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
