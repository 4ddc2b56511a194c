/** Writing rows, each with its mark. */
import type { SqliteConnection } from "./connection.js";
import {
  type EdgeRow,
  type InteractionRow,
  type MemoryHead,
  type MemoryRow,
  type PersonRow,
  type TokenPlace,
  markEdge,
  markInteraction,
  markMemory,
  markPerson,
  markTokens,
} from "./rows.js";

export class RowWriter {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  putPerson(row: PersonRow): void {
    const mark = markPerson(row, this.#connection.marker);
    this.#connection.run(
      `INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, whole_below = excluded.whole_below,
         core_summary = excluded.core_summary, commits_since_core_summary = excluded.commits_since_core_summary,
         mark = excluded.mark`,
      [
        row.key,
        row.name,
        row.revision,
        row.wholeBelow,
        bytesOrNull(row.coreSummary),
        row.commitsSinceCoreSummary,
        mark,
      ],
    );
  }

  putInteraction(row: Omit<InteractionRow, "bodyMark">): void {
    const { marker } = this.#connection;
    const { sequence, person, id, outcome, trace, expiresMs, body } = row;
    const bodyMark = marker.of(body);
    const mark = markInteraction({ ...row, bodyMark }, marker);
    this.#connection.run(
      `INSERT INTO interaction (sequence, person, id, outcome, mark, id_mark, body_mark, trace, body, expires_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (sequence) DO UPDATE SET outcome = excluded.outcome, mark = excluded.mark,
         body_mark = excluded.body_mark, trace = excluded.trace, body = excluded.body,
         expires_ms = excluded.expires_ms`,
      [sequence, person, id, outcome, mark, marker.of(id), bodyMark, bytesOrNull(trace), body, expiresMs],
    );
  }

  putMemory({ content, ...place }: Omit<MemoryRow, "contentMark">, tokenBytes: Uint8Array | null): void {
    const { marker } = this.#connection;
    const head = { ...place, contentMark: marker.of(content) };
    const { key, person, id, revision, pairId, updates, pinnedArea, metadata, expiresMs, contentMark } = head;
    this.#connection.run(
      `INSERT INTO memory (key, person, id, revision, pair_id, mark, content_mark, content, updates, pinned_area,
         metadata, expires_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, pair_id = excluded.pair_id, mark = excluded.mark,
         content_mark = excluded.content_mark, content = excluded.content, updates = excluded.updates,
         pinned_area = excluded.pinned_area, metadata = excluded.metadata, expires_ms = excluded.expires_ms`,
      [
        key,
        person,
        id,
        revision,
        pairId,
        markMemory(head, marker),
        contentMark,
        content,
        bytesOrNull(updates),
        bytesOrNull(pinnedArea),
        bytesOrNull(metadata),
        expiresMs,
      ],
    );
    // They belong to what the memory was.
    this.#connection.run("DELETE FROM token WHERE memory = ?", [key]);
    if (tokenBytes !== null) this.putTokens(head, tokenBytes);
  }

  putTokens(place: TokenPlace, bytes: Uint8Array): void {
    const mark = markTokens(place, bytes, this.#connection.marker);
    this.#connection.run("INSERT OR REPLACE INTO token VALUES (?, ?, ?)", [place.key, mark, bytes]);
  }

  /** Its pair, what it made outdated, where it is pinned, its metadata and when it expires. */
  updateMemory(head: MemoryHead): void {
    const mark = markMemory(head, this.#connection.marker);
    const { key, revision, pairId, updates, pinnedArea, metadata, expiresMs } = head;
    const texts = [updates, pinnedArea, metadata].map(bytesOrNull);
    this.#connection.run(
      `UPDATE memory SET pair_id = ?, updates = ?, pinned_area = ?, metadata = ?, expires_ms = ?, revision = ?, mark = ?
       WHERE key = ?`,
      [pairId, ...texts, expiresMs, revision, mark, key],
    );
  }

  putEdge(row: EdgeRow): void {
    this.#connection.run(
      `INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (a, b) DO UPDATE SET revision = excluded.revision, weight = excluded.weight,
         boost_ms = excluded.boost_ms, boosted_ms = excluded.boosted_ms, mark = excluded.mark`,
      [
        row.a,
        row.b,
        row.person,
        row.revision,
        row.weight,
        row.boostMs,
        row.boostedMs,
        markEdge(row, this.#connection.marker),
      ],
    );
  }

  putRemoval(person: number, revision: number, a: string, b: string | null): void {
    const mark = this.#connection.marker.of(person, revision, a, b);
    this.#connection.run("INSERT INTO removal VALUES (?, ?, ?, ?, ?)", [person, revision, a, b, mark]);
  }
}

function bytesOrNull(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text);
}
