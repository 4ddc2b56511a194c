/**
 * Reading a person's graph on the store's thread. It happens within one transaction, so it is all from one moment; it
 * goes page by page to the caller's thread, which builds the graph at the same time. A page is bytes that are
 * transferred instead of copied: contents of memories, or serialized edges. The caller takes a page when it is ready for
 * it, so that a backlog of pages does not block its event loop.
 *
 * A value costs more to fetch than to read, so SQLite joins the rows of a page into three values. Every row is checked by
 * its mark here; where one is not what it should be, the page is read again row by row, which says what is wrong. A whole
 * graph is also compared with the person's tally at the end, so that nothing is missing.
 */
import { serialize } from "node:v8";
import {
  type NodeLinks,
  aligned,
  isCurrent,
  memoryContent,
  numberByteCount,
  numbersIn,
  dimensionsOf,
  toEmbeddedNode,
} from "../content.js";
import { decodeText } from "./damage.js";
import type { MemoryPage } from "./loaded-nodes.js";
import { MarkSum, type RowReader, checkEdge, checkMemory, edgeColumns, memoryColumns } from "./reading.js";
import { type EdgeRow, type LoadedHead, type MemoryHead, type PagedEdge, type PersonRow, markMemory } from "./rows.js";

const memoriesPerPageMin = 16;
const memoriesPerPageMax = 512;
const bytesPerPage = 2_000_000;
const edgesPerPage = 500;

/** What is sent to the caller: the head first, then the pages, memories before edges. */
export interface LoadReceiver {
  takeHead(head: LoadedHead): void;
  takePage(page: LoadedPage): void;
}

/** Edges are serialized. */
export type LoadedPage = { readonly memories: MemoryPage } | { readonly edges: Uint8Array };

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
    const keys = this.#keys();
    let count = memoriesPerPageMin;
    for (let from = 0; from < keys.length;) {
      const page = keys.slice(from, from + count);
      const joined = this.#readPage(page);
      for (const memories of sameDimensions(withCurrentTerms(joined))) this.#receiver.takePage({ memories });
      from += page.length;
      const wanted = Math.floor((bytesPerPage / joined.contents.byteLength) * page.length);
      count = Math.min(Math.max(wanted, memoriesPerPageMin), memoriesPerPageMax);
    }
  }

  sendEdges(): void {
    for (const rows of inPages(this.#reader.connection.iterateValues(edgeSql, this.#bind), edgesPerPage)) {
      const edges = rows.map((values) => this.#toPaged(this.#takeEdge(values)));
      this.#receiver.takePage({ edges: serialize(edges) });
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

  /** Keys of the memories to send, in order. */
  #keys(): string[] {
    const [joined] = this.#reader.connection.values(keySql, this.#bind)!;
    return joined === null
      ? []
      : Buffer.from(joined as Uint8Array)
          .toString("latin1")
          .split(",");
  }

  #readPage(keys: readonly string[]): JoinedPage {
    const page = this.#readJoined(keys) ?? this.#readRows(keys);
    for (const { head, mark } of page.memories) {
      this.#memorySum.take({ row: null, mark });
      this.#ids.set(head.key, head.id);
    }
    return page;
  }

  /** Undefined if anything is not what it should be. */
  #readJoined(keys: readonly string[]): JoinedPage | undefined {
    const values = attempt(() => this.#reader.connection.values(joinedSql, [`[${keys.join(",")}]`]));
    const [headBytes, contents] = values ?? [];
    const rows = headBytes instanceof Uint8Array ? parseHeads(headBytes) : undefined;
    if (rows?.length !== keys.length || !(contents instanceof Uint8Array)) return undefined;
    const page = new PageBuilder(rows.length, contents);
    const { marker } = this.#reader.connection;
    for (const row of rows) {
      const [key, person, id, revision, pairId, contentMark, mark, ...rest] = row;
      const [updates, pinnedArea, metadata, expiresMs, contentLength] = rest;
      const head = { key, person, id, revision, pairId, contentMark, updates, pinnedArea, metadata, expiresMs };
      const content = page.add({ head, mark }, contentLength);
      if (content === undefined || markMemory(head, marker) !== mark || marker.of(content) !== contentMark)
        return undefined;
    }
    return page.page;
  }

  #readRows(keys: readonly string[]): JoinedPage {
    const { connection } = this.#reader;
    const rows = connection.allValues(rowSql, [`[${keys.join(",")}]`]).map((values) => {
      const checked = checkMemory(values, connection.marker, this.#person.name);
      const { row, mark } = this.#reader.wholeWithMark(checked);
      return { head: row, mark, content: row.content };
    });
    const contents = Buffer.concat(rows.map(({ content }) => content));
    const page = new PageBuilder(rows.length, contents);
    for (const { head, mark, content } of rows) page.add({ head, mark }, content.byteLength);
    return page.page;
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

/** Memories whose marks are right, and their contents one after the other. */
interface JoinedPage {
  readonly memories: { readonly head: MemoryHead; readonly mark: number }[];
  /** Where each content begins, in bytes. */
  readonly starts: Int32Array<ArrayBuffer>;
  readonly contents: Uint8Array;
}

class PageBuilder {
  readonly page: JoinedPage;
  #contentEnd = 0;

  constructor(count: number, contents: Uint8Array) {
    this.page = { memories: [], starts: new Int32Array(count), contents: aligned(contents) };
  }

  /** Returns the content; undefined where the bytes do not reach that far. */
  add(memory: JoinedPage["memories"][number], contentLength: number): Uint8Array | undefined {
    const { memories, starts, contents } = this.page;
    const start = this.#contentEnd;
    starts[memories.push(memory) - 1] = start;
    this.#contentEnd += contentLength;
    return this.#contentEnd <= contents.byteLength ? contents.subarray(start, this.#contentEnd) : undefined;
  }
}

/** With contents whose terms another Node.js split packed again. */
function withCurrentTerms(page: JoinedPage): JoinedPage {
  const { memories, starts, contents } = page;
  const numbers = numbersIn(toBuffer(contents));
  if (starts.every((start) => isCurrent(numbers, start / numberByteCount))) return page;
  const packed = memories.map(({ head }, i) => {
    const content = contents.subarray(starts[i], starts[i + 1] ?? contents.byteLength);
    return memoryContent(toEmbeddedNode({ ...head, content }));
  });
  const next = new Int32Array(starts.length);
  for (let i = 1; i < next.length; i++) next[i] = next[i - 1]! + packed[i - 1]!.byteLength;
  return { ...page, starts: next, contents: aligned(Buffer.concat(packed)) };
}

/** Usually all; vectors of another embedder may have another number of dimensions. */
function* sameDimensions(page: JoinedPage): Generator<MemoryPage> {
  const numbers = numbersIn(toBuffer(page.contents));
  const starts = page.starts.map((start) => start / numberByteCount);
  const dimensionsAt = (i: number): number => dimensionsOf(numbers, starts[i]!);
  for (let from = 0, to = 0; from < starts.length; from = to) {
    while (to < starts.length && dimensionsAt(to) === dimensionsAt(from)) to++;
    const isAll = to - from === starts.length;
    yield {
      links: page.memories.slice(from, to).map(({ head }) => linksOf(head)),
      starts: starts.slice(from, to),
      contents: transferable(page.contents, isAll),
    };
  }
}

function linksOf({ id, pairId, updates, pinnedArea, metadata, expiresMs }: MemoryHead): NodeLinks {
  return { id, pairId, updates, pinnedArea, metadata, expiresMs };
}

/** Bytes that can be given away: small ones are slices of something larger, and several pages cannot share theirs. */
function transferable(bytes: Uint8Array, isAlone: boolean): Uint8Array<ArrayBuffer> {
  const isOwn = isAlone && bytes.byteLength === bytes.buffer.byteLength;
  return isOwn ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes);
}

/** As `joinedSql` writes them; checked by the mark. */
type JoinedHead = readonly [
  key: number,
  person: number,
  id: string,
  revision: number,
  pairId: string | null,
  contentMark: number,
  mark: number,
  updates: string | null,
  pinnedArea: string | null,
  metadata: string | null,
  expiresMs: number | null,
  contentByteCount: number,
];

const keySql = `SELECT CAST(group_concat(key) AS BLOB)
  FROM (SELECT key FROM memory WHERE person = ? AND revision > ? ORDER BY key)`;

const fromKeys = `FROM json_each(?) wanted CROSS JOIN memory m ON m.key = wanted.value`;

const joinedSql = `SELECT
  CAST(json_group_array(json_array(m.key, m.person, CAST(m.id AS TEXT), m.revision, CAST(m.pair_id AS TEXT),
    m.content_mark, m.mark, CAST(m.updates AS TEXT), CAST(m.pinned_area AS TEXT), CAST(m.metadata AS TEXT), m.expires_ms,
    length(m.content))) AS BLOB),
  CAST(group_concat(m.content, '') AS BLOB) ${fromKeys}`;

const rowSql = `SELECT ${memoryColumns} ${fromKeys}`;

const edgeSql = `SELECT ${edgeColumns} FROM edge e WHERE e.person = ? AND e.revision > ? ORDER BY e.a, e.b`;

function parseHeads(bytes: Uint8Array): JoinedHead[] | undefined {
  const json = decodeText(bytes);
  return json === undefined ? undefined : attempt(() => JSON.parse(json) as JoinedHead[]);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Undefined where the file cannot be read this way. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

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
