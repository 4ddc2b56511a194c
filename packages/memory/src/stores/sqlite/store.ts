/** The embedded store: records in one SQLite file. This side passes calls to the thread of the database and answers back. */
import { StoreError } from "../../errors.js";
import { checkDatabasePath } from "../../files/libsql.js";
import { Arrivals, ThreadCalls } from "../../files/thread-calls.js";
import type * as port from "../store.js";
import { type ReadHead, type SqliteDatabase, type SqliteOptions, answererOf } from "./database.js";
import { type SentPage, unpackPage } from "./sent-page.js";

export type { SqliteOptions } from "./database.js";

type Method = Exclude<keyof SqliteDatabase, "read">;

export class SqliteStore implements port.Store {
  readonly kind = "sqlite";
  readonly isChecking = true;
  readonly #path: string;
  readonly #calls: ThreadCalls;
  #closing: Promise<void> | undefined;

  // These are passed on as they are.
  readonly describe = this.#passedOn("describe");
  readonly persons = this.#passedOn("persons");
  readonly due = this.#passedOn("due");
  readonly lease = this.#passedOn("lease");
  readonly damage = this.#passedOn("damage");
  readonly erase = this.#passedOn("erase");
  readonly #write = this.#passedOn("write");

  /** Opens the file, creates it if there is none. */
  static async open(options: SqliteOptions): Promise<SqliteStore> {
    checkDatabasePath(options.path);
    const store = new SqliteStore(options);
    try {
      await store.describe();
      return store;
    } catch (error) {
      await store.#calls.end();
      throw error;
    }
  }

  private constructor(options: SqliteOptions) {
    this.#path = options.path;
    const worker = { file: "dist/stores/sqlite/worker.js", data: options };
    this.#calls = new ThreadCalls(options.isInline === true ? (answer) => answererOf(options, answer) : worker);
  }

  /** Pages wait here, as they came, until they are asked for. */
  async read(person: string, selection: port.ReadSelection = {}): Promise<port.RecordSnapshot> {
    this.#checkOpen();
    const parts = new Arrivals<unknown>();
    this.#calls
      .call("read", [person, selection], (part) => parts.push(part))
      .then(
        () => parts.end({}),
        (error: unknown) => parts.end({ error }),
      );
    const { value: head } = await parts.next();
    return { ...(head as ReadHead), pages: unpacked(parts as AsyncIterable<SentPage>) };
  }

  async write(person: string, baseRevision: number, change: port.RecordChange): Promise<number>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null> {
    // Copied, because a view would be sent with everything that it is a view of.
    const put = change.put?.map((record) => ({ ...record, bytes: new Uint8Array(record.bytes) }));
    return this.#write(person, baseRevision, { ...change, ...(put && { put }) });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#calls.call("close", []).then(() => this.#calls.end());
    await this.#closing;
  }

  #passedOn<M extends Method>(
    method: M,
  ): (...args: Parameters<SqliteDatabase[M]>) => Promise<ReturnType<SqliteDatabase[M]>> {
    return async (...args) => {
      this.#checkOpen();
      return (await this.#calls.call(method, args)) as ReturnType<SqliteDatabase[M]>;
    };
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StoreError("store_closed", `${this.#path} was closed; open it again`);
  }
}

async function* unpacked(pages: AsyncIterable<SentPage>): AsyncGenerator<port.RecordPage> {
  for await (const page of pages) yield unpackPage(page);
}
