/**
 * Statements with a time limit, on a few connections of the package `pg`, which is loaded on demand. Transient failures
 * are tried again; a write carries a stamp by which its function recognizes a repetition.
 */
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../../errors.js";
import { isPassing, toPostgresError } from "./error.js";
import type { PostgresTarget } from "./options.js";

/** The parts of the package that we use. */
export interface PostgresClient {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: Row[] }>;
  release(isBroken?: boolean): void;
  on(event: "error", listener: () => void): void;
}

interface Pool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: "error" | "connect", listener: (value: never) => void): void;
}

interface PostgresPackage {
  readonly Pool: new (options: object) => Pool;
  readonly types: { getTypeParser(type: number): unknown };
}

/** Begins with its first statement, and reads from one moment. */
export interface Transaction {
  client?: PostgresClient | undefined;
}

const int8Type = 20;
const connectionsMax = 4;
const [firstRetryMs, lastRetryMs] = [20, 500];
/** A reader that pauses longer gets another transaction, if nothing has changed. */
const pausedReaderMs = 60_000;

export class PostgresConnection {
  readonly target: PostgresTarget;
  readonly #statements: Pool;
  /** Separate, so that readers who take their time keep nobody waiting. */
  readonly #readers: Pool;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #transactions = new Set<Transaction>();
  #hasConnected = false;
  #isClosed = false;

  constructor(target: PostgresTarget, createPool: (options: object) => Pool) {
    this.target = target;
    const options = {
      ...target.server,
      max: connectionsMax,
      // An open store does not keep a process alive; a statement waiting for its answer does.
      allowExitOnIdle: true,
      connectionTimeoutMillis: target.timeoutMs,
      query_timeout: target.timeoutMs,
      application_name: "mnemosyne",
      keepAlive: true,
      onConnect: (client: PostgresClient) => client.query(sessionSettings(target)),
    };
    this.#statements = createPool(options);
    this.#readers = createPool(options);
  }

  /** A statement that is safe to repeat. */
  async query<Row>(
    operation: string,
    text: string,
    values: readonly unknown[],
    transaction?: Transaction,
  ): Promise<Row[]> {
    return (await this.use(operation, (client) => client.query<Row>(text, values), transaction)).rows;
  }

  /** No try begins after the limit, and each has the same limit. */
  async use<Result>(
    operation: string,
    work: (client: PostgresClient) => Promise<Result>,
    transaction?: Transaction,
  ): Promise<Result> {
    const { location, timeoutMs } = this.target;
    const untilMs = performance.now() + timeoutMs;
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, lastRetryMs)) {
      if (this.#isClosed) throw new StoreError("store_closed", `${location} was closed; open it again`);
      const trying = this.#try(work, transaction);
      this.#underWay.add(trying);
      try {
        return await trying;
      } catch (error) {
        const isLate = performance.now() + waitMs >= untilMs;
        if (isLate || !isPassing(error, this.#hasConnected)) throw toPostgresError(operation, location, error);
      } finally {
        this.#underWay.delete(trying);
      }
      await delay(waitMs);
    }
  }

  async #try<Result>(work: (client: PostgresClient) => Promise<Result>, transaction?: Transaction): Promise<Result> {
    const pool = transaction === undefined ? this.#statements : this.#readers;
    const client = transaction?.client ?? (await pool.connect());
    this.#hasConnected = true;
    try {
      if (transaction !== undefined && transaction.client !== client) {
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        transaction.client = client;
        this.#transactions.add(transaction);
      }
      const result = await work(client);
      if (transaction === undefined) client.release();
      return result;
    } catch (error) {
      client.release(true);
      if (transaction !== undefined) this.#forget(transaction);
      throw error;
    }
  }

  async finish(transaction: Transaction): Promise<void> {
    const client = this.#forget(transaction);
    await client?.query("COMMIT").then(...[false, true].map((isBroken) => () => client.release(isBroken)));
  }

  #forget(transaction: Transaction): PostgresClient | undefined {
    const { client } = transaction;
    transaction.client = undefined;
    this.#transactions.delete(transaction);
    return client;
  }

  /** Statements under way are finished, readers between two pages are not. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    for (const transaction of this.#transactions) this.#forget(transaction)?.release(true);
    await Promise.all([this.#statements.end(), this.#readers.end()]);
  }
}

/** Plans use the indexes even while the tables are too small to have statistics; an acknowledged write is on the disk. */
function sessionSettings({ schema, timeoutMs }: PostgresTarget): string {
  return `SET search_path = "${schema.replaceAll('"', '""')}"; SET bytea_output = 'hex'; SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SET default_transaction_isolation = 'read committed';
    SET statement_timeout = ${timeoutMs}; SET idle_in_transaction_session_timeout = ${pausedReaderMs};
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
}

export async function importPackage(): Promise<(options: object) => Pool> {
  // A variable, because the package is optional and has no types of its own.
  const name: string = "pg";
  try {
    const { Pool, types } = ((await import(name)) as { default: PostgresPackage }).default;
    const numbers = { getTypeParser: (type: number) => (type === int8Type ? Number : types.getTypeParser(type)) };
    return (options) => {
      const pool = new Pool({ ...options, types: numbers });
      // The next statement on a broken connection reports it.
      pool.on("error", () => {});
      pool.on("connect", (client: PostgresClient) => client.on("error", () => {}));
      return pool;
    };
  } catch (cause) {
    throw new StoreError("store_failed", "a store in PostgreSQL needs the package pg; run `npm install pg`", { cause });
  }
}
