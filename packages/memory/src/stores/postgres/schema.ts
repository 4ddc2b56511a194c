/**
 * The tables, and the function that changes a person in one round trip: under a lock of the person's own, it does
 * everything or nothing. Names and ids are bytes, as UTF-8, which can hold any text and have the order we want.
 */
import { createHash } from "node:crypto";
import { type ErrorCode, StoreError } from "../../errors.js";
import { crc32 } from "../../files/checksum.js";
import { markLimit, markOf } from "../marks.js";
import type { RecordKey, StoreRecord } from "../store.js";
import type { PostgresClient } from "./connection.js";

const formatVersion = 1;
const serverMin = 14;

/** Finds a record, and is short whatever its id is. Keys of a person are next to each other. */
export function keyOf(person: string, { kind, id }: RecordKey): Buffer {
  const hash = (text: string, length: number): Buffer => createHash("sha256").update(text).digest().subarray(0, length);
  return Buffer.concat([hash(person, 8), hash(JSON.stringify([kind, id]), 16)]);
}

/** The server, which alone knows place and version, adds them to it. */
export function checksumOf(record: StoreRecord, key: Uint8Array): number {
  return crc32(key, markOf(record, 0));
}

export function completeMark(checksum: number, place: number, version: number): number {
  return (checksum + 3 * (place % markLimit) + (version % markLimit)) % markLimit;
}

export async function openSchema(client: PostgresClient, schema: string, location: string): Promise<void> {
  const refuse = (code: ErrorCode, why: string): never => {
    throw new StoreError(code, `open ${location}: ${why}`);
  };
  const { rows } = await client.query<{ server: number; schema: string | null; tables: string[] }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS server, current_schema()::text AS schema,
      ARRAY(SELECT relname::text FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace AND nspname = current_schema())
        AS tables`,
  );
  const found = rows[0]!;
  if (found.server < serverMin)
    refuse("store_failed", `it has version ${found.server}; ${serverMin} or newer is needed.`);
  if (found.tables.length === 0) {
    const create = found.schema === null ? `CREATE SCHEMA IF NOT EXISTS "${schema.replaceAll('"', '""')}";` : "";
    // Of several processes that find nothing, one makes the tables, and the others find them then.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('mnemosyne', 0)); ${create} ${tables}`);
  } else if (!found.tables.includes("mnemosyne_format"))
    refuse("store_not_ours", "the schema has tables of another program; choose another schema.");
  const formats = await client.query<{ format: number }>("SELECT format FROM mnemosyne_format");
  const format = formats.rows[0]?.format;
  const message = `it has format ${format}, but this release reads and writes format ${formatVersion} only; export it with the release that wrote it, and import that here.`;
  if (format !== formatVersion) refuse("store_format", message);
}

/** Each statement can be repeated. */
const tables = `
CREATE TABLE IF NOT EXISTS mnemosyne_format (format int PRIMARY KEY);
INSERT INTO mnemosyne_format VALUES (${formatVersion}) ON CONFLICT DO NOTHING;

-- The stamps of the last writes, and what they returned, tell a write that is repeated because its answer was lost.
CREATE TABLE IF NOT EXISTS persons (
  name bytea PRIMARY KEY, sequence bigint NOT NULL, revision bigint NOT NULL, whole_below bigint NOT NULL,
  count bigint NOT NULL, marks bigint NOT NULL, stamps uuid[] NOT NULL, results bigint[] NOT NULL);

-- A crash of the server empties it, which is no harm.
CREATE UNLOGGED TABLE IF NOT EXISTS leases (
  person bytea PRIMARY KEY, owner bytea NOT NULL, until timestamptz NOT NULL);

CREATE TABLE IF NOT EXISTS records (
  key bytea PRIMARY KEY, person bytea NOT NULL, kind bytea NOT NULL, id bytea NOT NULL, place bigint NOT NULL,
  version bigint NOT NULL, queue float8, expiry float8, mark bigint NOT NULL, bytes bytea NOT NULL);
CREATE INDEX IF NOT EXISTS records_place ON records (person, place);
CREATE INDEX IF NOT EXISTS records_version ON records (person, version);
CREATE INDEX IF NOT EXISTS records_queue ON records (person, queue) WHERE queue IS NOT NULL;
CREATE INDEX IF NOT EXISTS records_expiry ON records (expiry, person) WHERE expiry IS NOT NULL;
-- Encrypted bytes and vectors cannot be compressed, and are read fastest from the row itself.
ALTER TABLE records ALTER bytes SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);

-- Without a list of keys that go, everything goes.
CREATE OR REPLACE FUNCTION change(p bytea, base bigint, stamp uuid, keys bytea[], kinds bytea[], ids bytea[],
  queues float8[], expiries float8[], checksums bigint[], contents bytea[], replaced bigint[], going bytea[],
  OUT is_done bool, OUT at bigint, OUT removed bigint) LANGUAGE plpgsql AS $$
DECLARE
  head persons; again int; added bigint; gained numeric; lost numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || encode(p, 'hex'), 0));
  SELECT * INTO head FROM persons WHERE name = p;
  IF NOT FOUND THEN
    at := extract(epoch FROM clock_timestamp()) * 1000000;
    head := ROW(p, at, 0, at, 0, 0, '{}', '{}');
  END IF;
  is_done := true;
  again := array_position(head.stamps, stamp);
  IF again IS NOT NULL THEN at := head.results[again]; RETURN; END IF;
  IF base <> head.revision OR EXISTS (SELECT FROM unnest(keys, replaced) AS given (key, was)
    LEFT JOIN records USING (key) WHERE was <> coalesce(version, 0))
  THEN is_done := false; at := head.revision; RETURN; END IF;

  IF going IS NULL THEN
    DELETE FROM records WHERE person = p;
    GET DIAGNOSTICS removed = ROW_COUNT;
    head.count := 0;
  ELSE
    WITH gone AS (DELETE FROM records WHERE key = ANY (going) RETURNING mark)
    SELECT count(*), coalesce(sum(mark), 0) INTO removed, lost FROM gone;
    WITH given AS (
      SELECT g.*, head.sequence + n AS version, coalesce(r.place, head.sequence + n) AS place, r.mark AS old
      FROM unnest(keys, kinds, ids, queues, expiries, checksums, contents)
        WITH ORDINALITY AS g (key, kind, id, queue, expiry, checksum, bytes, n) LEFT JOIN records r ON r.key = g.key
    ), written AS (
      INSERT INTO records (key, person, kind, id, place, version, queue, expiry, bytes, mark)
      SELECT key, p, kind, id, place, version, queue, expiry, bytes, (checksum + 3 * place + version) % ${markLimit}
      FROM given ON CONFLICT (key) DO UPDATE SET (version, queue, expiry, bytes, mark)
        = (excluded.version, excluded.queue, excluded.expiry, excluded.bytes, excluded.mark) RETURNING mark
    ) SELECT count(*) - count(old), coalesce((SELECT sum(mark) FROM written), 0) - coalesce(sum(old), 0)
      INTO added, gained FROM given;
    head.count := head.count + added - removed;
    head.marks := ((head.marks + gained - lost) % ${markLimit} + ${markLimit}) % ${markLimit};
  END IF;
  IF base IS NOT NULL OR cardinality(keys) > 0 OR removed > 0 THEN
    head.sequence := head.sequence + greatest(cardinality(keys), 1);
  END IF;
  IF base IS NOT NULL OR head.revision = 0 THEN head.revision := head.sequence; END IF;
  IF removed > 0 THEN head.whole_below := head.sequence; END IF;
  IF head.count <= 0 THEN
    at := 0;
    DELETE FROM persons WHERE name = p;
    DELETE FROM leases WHERE person = p;
    RETURN;
  END IF;
  at := head.revision;
  head.stamps := (stamp || head.stamps)[1:8];
  head.results := (at || head.results)[1:8];
  INSERT INTO persons VALUES (head.*) ON CONFLICT (name) DO UPDATE
    SET (sequence, revision, whole_below, count, marks, stamps, results) = (excluded.sequence, excluded.revision,
      excluded.whole_below, excluded.count, excluded.marks, excluded.stamps, excluded.results);
END $$`;
