/**
 * Reads part of a person from one moment: in one statement if that is enough, otherwise page by page in a transaction,
 * which begins when the pages are asked for, and goes on after a lost connection if nothing has changed.
 */
import { StaleRevisionError } from "../../errors.js";
import { addMarks } from "../marks.js";
import type * as port from "../store.js";
import type { PostgresConnection, Transaction } from "./connection.js";
import { checksumOf, completeMark, keyOf } from "./schema.js";

const recordsPerPage = 500;
/** A page ends with the record that passes it. */
const bytesPerPage = 4_000_000;

/** A record and the head of its person; null is all that is unknown, such as the record if there is none. */
interface Row extends Readonly<Record<"sequence" | "revision" | "whole_below" | "count" | "marks", number | null>> {
  readonly key: Buffer;
  readonly place: number;
  readonly version: number;
  readonly kind: Buffer;
  readonly id: Buffer;
  readonly queue: number | null;
  readonly expiry: number | null;
  readonly mark: number;
  readonly bytes: Buffer;
  /** Rows of the page, before it was cut. */
  readonly found: number;
  /** How many records of any kind there are, where all of some kinds are read. */
  readonly present: number | null;
}

interface Page {
  readonly head: Row;
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

export async function readPerson(
  connection: PostgresConnection,
  person: string,
  selection: port.ReadSelection,
): Promise<port.RecordSnapshot> {
  const { since, limit = Infinity, newestFirst: _, ...conditions } = selection;
  const first = await fetchPage(connection, person, selection);
  const isWhole = isWholeSince(first.head, since);
  const isEverything = isWhole && limit === Infinity && Object.values(conditions).every((value) => value === undefined);
  let { head } = first;
  async function* read(): AsyncGenerator<port.RecordPage> {
    const transaction: Transaction = {};
    let [count, marks] = [0, 0];
    try {
      let page = first.isLast ? first : await fetchPage(connection, person, selection, transaction);
      if (isWholeSince(page.head, since) !== isWhole) throw stale(person, head, page.head);
      head = page.head;
      for (;;) {
        const { records, damage } = readRows(person, page.rows);
        count += page.rows.length;
        for (const { mark } of page.rows) marks = addMarks(marks, mark);
        const isShort = isEverything
          ? count !== (head.count ?? 0) || marks !== (head.marks ?? 0)
          : head.present !== null && head.present !== (head.count ?? 0);
        if (page.isLast && isShort)
          damage.push({ person, kind: null, id: null, part: "the list of records is incomplete" });
        if (records.length + damage.length > 0) yield { records, damage };
        if (page.isLast) return;
        const rest = { ...selection, after: page.rows.at(-1)!.place, limit: limit - count };
        page = await fetchPage(connection, person, rest, transaction);
        if (page.head.sequence !== head.sequence) throw stale(person, head, page.head);
      }
    } finally {
      await connection.finish(transaction);
    }
  }
  return Object.defineProperty({ revision: 0, isWhole, pages: read() }, "revision", { get: () => head.revision ?? 0 });
}

function isWholeSince({ sequence, whole_below: wholeBelow }: Row, since = -1): boolean {
  return sequence === null || wholeBelow === null || since < wholeBelow || since > sequence;
}

function stale(person: string, expected: Row, actual: Row): StaleRevisionError {
  return new StaleRevisionError(person, expected.revision ?? 0, actual.revision ?? 0);
}

async function fetchPage(
  connection: PostgresConnection,
  person: string,
  { since, kinds, ids, due, newestFirst = false, after, limit = Infinity }: port.ReadSelection,
  transaction?: Transaction,
): Promise<Page> {
  const rowsMax = Math.min(limit, recordsPerPage);
  const [order, comesAfter] = newestFirst ? ["DESC", "<"] : ["ASC", ">"];
  const values: unknown[] = [Buffer.from(person)];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const list = (texts: readonly string[]): string => `${given(texts.map((text) => Buffer.from(text)))}::bytea[]`;
  const keys = kinds && ids?.flatMap((id) => kinds.map((kind) => keyOf(person, { kind, id })));
  const conditions = [
    keys === undefined ? "person = $1" : `key = ANY (${given(keys)}::bytea[])`,
    kinds === undefined || keys !== undefined ? "" : `kind = ANY (${list(kinds)})`,
    ids === undefined || keys !== undefined ? "" : `id = ANY (${list(ids)})`,
    due === undefined ? "" : `${due} IS NOT NULL`,
    after === undefined ? "" : `place ${comesAfter} ${given(after)}`,
    since === undefined
      ? ""
      : `version > coalesce((SELECT s FROM head, CAST(${given(since)} AS bigint) AS s WHERE s BETWEEN whole_below AND sequence), 0)`,
  ];
  const isAllOfKinds = kinds !== undefined && (ids ?? due ?? after) === undefined && limit === Infinity;
  const present = isAllOfKinds
    ? `CASE WHEN ${given(since ?? -1)}::bigint BETWEEN whole_below AND sequence THEN NULL
    ELSE (SELECT count(*) FROM records WHERE person = $1) END`
    : "NULL";
  // A few records are found by what they are asked for, many by their places.
  const isFew = transaction === undefined && (since ?? ids ?? due) !== undefined;
  const rows = await connection.query<Row>(
    "read",
    `WITH head AS (SELECT sequence, revision, whole_below, count, marks FROM persons WHERE name = $1)
    SELECT head.*, r.*, ${present} AS present FROM (VALUES (1)) AS one LEFT JOIN head ON true LEFT JOIN (
      SELECT *, count(*) OVER () AS found, sum(length(bytes)) OVER (ORDER BY place ${order}) - length(bytes) AS before
      FROM (
        SELECT key, place, version, kind, id, queue, expiry, mark, bytes FROM records
        WHERE ${conditions.filter((condition) => condition !== "").join(" AND ")}
        ORDER BY place ${isFew ? "+ 0" : ""} ${order} LIMIT ${rowsMax}) AS page
    ) AS r ON before < ${bytesPerPage} ORDER BY place ${order}`,
    values,
    transaction,
  );
  const [head] = rows as [Row];
  const found = rows.filter(({ place }) => place !== null);
  const isCut = found.length < head.found;
  return { head, rows: found, isLast: found.length === limit || (found.length < rowsMax && !isCut) };
}

function readRows(person: string, rows: readonly Row[]): { records: port.StoredRecord[]; damage: port.StoreDamage[] } {
  const records: port.StoredRecord[] = [];
  const damage: port.StoreDamage[] = [];
  for (const { key: storedKey, kind, id, queue, expiry, place, version, mark, bytes } of rows) {
    const key = { kind: kind.toString(), id: id.toString() };
    const due = { ...(queue !== null && { queue }), ...(expiry !== null && { expiry }) };
    const record = { ...key, bytes, place, version, ...(Object.keys(due).length > 0 && { due }) };
    if (completeMark(checksumOf(record, storedKey), place, version) === mark) records.push(record);
    else damage.push({ person, ...key, part: "the record is damaged" });
  }
  return { records, damage };
}
