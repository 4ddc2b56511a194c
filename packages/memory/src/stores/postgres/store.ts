/** A store in PostgreSQL, for many persons in several processes or machines. */
import { randomUUID } from "node:crypto";
import { StaleRevisionError, isDamage } from "../../errors.js";
import type * as port from "../store.js";
import { PostgresConnection, importPackage } from "./connection.js";
import { type PostgresOptions, parsePostgresOptions } from "./options.js";
import { readPerson } from "./reading.js";
import { checksumOf, keyOf, openSchema } from "./schema.js";

export type { PostgresOptions } from "./options.js";

const vacuumPauseMs = 10_000;

export class PostgresStore implements port.Store {
  readonly kind: string = "postgres";
  readonly isChecking = true;
  readonly #connection: PostgresConnection;
  #vacuumAfterMs = 0;
  #vacuumTimer: NodeJS.Timeout | undefined;
  #vacuuming: Promise<void> | undefined;

  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const target = parsePostgresOptions(options);
    const connection = new PostgresConnection(target, await importPackage());
    try {
      await connection.use("open", (client) => openSchema(client, target.schema, target.location));
      return new PostgresStore(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async describe(): Promise<port.StoreDescription> {
    const [found] = await this.#connection.query<{ bytes: number; unsafe: string[] }>(
      "describe",
      `SELECT (pg_total_relation_size('records') + pg_total_relation_size('persons')) AS bytes,
        ARRAY(SELECT s FROM unnest('{fsync,full_page_writes}'::text[]) s WHERE current_setting(s) = 'off') AS unsafe`,
      [],
    );
    const warnings = found!.unsafe.map(
      (name) => `${name} is off: a crash of the machine can lose or damage everything.`,
    );
    return { kind: this.kind, location: this.#connection.target.location, byteCount: found!.bytes, warnings };
  }

  async read(person: string, selection: port.ReadSelection = {}): Promise<port.RecordSnapshot> {
    return readPerson(this.#connection, person, selection);
  }

  async write(person: string, baseRevision: number, change: port.RecordChange): Promise<number>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null> {
    const { put = [], delete: gone = [] } = change;
    const { is_done: isDone, at } = await this.#change(person, baseRevision, put, gone);
    if (!isDone && baseRevision !== null) throw new StaleRevisionError(person, baseRevision, at);
    return isDone ? at : null;
  }

  /** Without `gone`, nothing remains. */
  async #change(
    person: string,
    baseRevision: number | null,
    put: readonly port.RecordPut[],
    gone?: readonly port.RecordKey[],
  ): Promise<{ is_done: boolean; at: number; removed: number }> {
    // Put twice, a record is what it was put as last.
    const records = [...new Map(put.map((record) => [JSON.stringify([record.kind, record.id]), record])).values()];
    const keys = records.map((record) => keyOf(person, record));
    const [answer] = await this.#connection.query<{ is_done: boolean; at: number; removed: number }>(
      gone === undefined ? "erase" : "write",
      `SELECT * FROM change($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        Buffer.from(person),
        baseRevision,
        randomUUID(),
        keys,
        records.map(({ kind }) => Buffer.from(kind)),
        records.map(({ id }) => Buffer.from(id)),
        records.map(({ due }) => due?.queue),
        records.map(({ due }) => due?.expiry),
        records.map((record, i) => checksumOf(record, keys[i]!)),
        records.map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
        records.map(({ was }) => was),
        gone?.map((key) => keyOf(person, key)),
      ],
    );
    if (answer!.removed > 0) this.#vacuum(gone === undefined);
    return answer!;
  }

  async persons({ after = "", limit = Infinity }: port.PersonSelection = {}): Promise<string[]> {
    const rows = await this.#connection.query<{ name: Buffer }>(
      "persons",
      `SELECT name FROM persons WHERE name > $1 ORDER BY name LIMIT $2`,
      [Buffer.from(after), Number.isFinite(limit) ? limit : null],
    );
    return rows.map(({ name }) => name.toString());
  }

  async due(list: port.DueList, { before, limit, person }: port.DueSelection): Promise<port.DuePerson[]> {
    const rows = await this.#connection.query<{ person: Buffer; at: number; count: number }>(
      "due",
      `SELECT person, min(${list}) AS at, count(*) AS count FROM records
        WHERE ${list} <= $1 AND CASE WHEN $2::bytea IS NULL THEN person <> '' ELSE person = $2 END
        GROUP BY person ORDER BY at, person LIMIT $3`,
      [before, person === undefined ? null : Buffer.from(person), Number.isFinite(limit) ? limit : null],
    );
    return rows.map((row) => ({ ...row, person: row.person.toString() }));
  }

  async lease(person: string, owner: string, ms: number): Promise<boolean> {
    const take = `INSERT INTO leases AS l VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
      ON CONFLICT (person) DO UPDATE SET owner = excluded.owner, until = excluded.until
      WHERE l.owner = excluded.owner OR l.until <= clock_timestamp() RETURNING 1`;
    // Given back, it must not keep the name of a person who was erased.
    const giveBack = `WITH gone AS (DELETE FROM leases WHERE person = $1 AND owner = $2)
      SELECT 1 WHERE NOT EXISTS (SELECT FROM leases WHERE person = $1 AND owner <> $2 AND until > clock_timestamp())`;
    const values = [Buffer.from(person), Buffer.from(owner)];
    const rows = await this.#connection.query("lease", ms > 0 ? take : giveBack, ms > 0 ? [...values, ms] : values);
    return rows.length > 0;
  }

  /** Of persons in the list of persons, and of others who have records. */
  async damage(): Promise<port.StoreDamage[]> {
    const damage: port.StoreDamage[] = [];
    const examine = async (person: string | null, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (!isDamage(error)) throw error;
        damage.push({ person, kind: null, id: null, part: error.message });
      }
    };
    const readAll = async (person: string): Promise<void> => {
      for await (const page of (await this.read(person)).pages) damage.push(...page.damage);
    };
    const strays = "SELECT DISTINCT person AS name FROM records LEFT JOIN persons ON name = person WHERE name IS NULL";
    for (const list of ["SELECT name FROM persons ORDER BY name", strays]) {
      await examine(null, async () => {
        const rows = await this.#connection.query<{ name: Buffer }>("damage", list, []);
        for (const person of rows.map(({ name }) => name.toString())) await examine(person, () => readAll(person));
      });
    }
    return damage;
  }

  async erase(person: string): Promise<number> {
    return (await this.#change(person, null, [])).removed;
  }

  async close(): Promise<void> {
    if (this.#vacuumTimer !== undefined) {
      await this.#vacuuming;
      this.#vacuum(true);
    }
    await this.#connection.close();
  }

  /**
   * As well as it can be done: a user who does not own the tables may not. After many deletions, once at their end; one at a
   * time, because others would only wait for it, and keep connections from statements.
   */
  #vacuum(isUrgent: boolean): void {
    const isWaiting = this.#vacuuming !== undefined;
    const waitMs = isWaiting ? vacuumPauseMs : isUrgent ? 0 : this.#vacuumAfterMs - performance.now();
    if (waitMs > 0 && this.#vacuumTimer !== undefined) return;
    clearTimeout(this.#vacuumTimer);
    this.#vacuumTimer = undefined;
    if (waitMs > 0) {
      this.#vacuumTimer = setTimeout(() => {
        this.#vacuumTimer = undefined;
        this.#vacuum(true);
      }, waitMs).unref();
      return;
    }
    this.#vacuumAfterMs = performance.now() + vacuumPauseMs;
    const vacuumed = this.#connection.query("vacuum", "VACUUM records, persons, leases", []);
    this.#vacuuming = vacuumed.then(
      () => void (this.#vacuuming = undefined),
      () => void (this.#vacuuming = undefined),
    );
  }
}
