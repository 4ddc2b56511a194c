/**
 * The embedded store: one SQLite file through `libsql`, optionally encrypted. All work happens on a worker thread, or
 * on the caller's if so configured (see database.ts for the guarantees); this side only passes calls and answers.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { InputError, StaleRevisionError, StoreError } from "../../../errors.js";
import { packageFile, threadOptions } from "../../../files/package-files.js";
import type { HistoryEntry, HistorySelection, PersonSnapshot, Store } from "../../../ports/store.js";
import { badCursor, readCursor } from "../cursor.js";
import type { SqliteOptions } from "./connection.js";
import type { SqliteDatabase } from "./database.js";
import { type Answer, type AnsweredError, type Call, SqliteHost } from "./host.js";
import type { LoadReceiver } from "./loading.js";
import { ArrivingSnapshot } from "./snapshot.js";

export type { SqliteOptions } from "./connection.js";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** What a load receives before it is done. */
  readonly receiver: LoadReceiver | undefined;
}

/** Where the database runs: a worker thread, or something that behaves like one. */
type StoreThread = Pick<Worker, "postMessage" | "ref" | "unref" | "terminate">;

type Method = Exclude<keyof SqliteDatabase, "load">;
type Arguments<M extends Method> = Parameters<SqliteDatabase[M]>;
type Result<M extends Method> = ReturnType<SqliteDatabase[M]>;

export class SqliteStore implements Store {
  readonly kind = "sqlite";
  readonly #path: string;
  readonly #thread: StoreThread;
  readonly #waiting = new Map<number, Waiting>();
  #nextCallId = 1;
  #closing: Promise<void> | undefined;

  // These are passed on as they are.
  readonly describe = this.#passedOn("describe");
  readonly damage = this.#passedOn("damage");
  readonly salvage = this.#passedOn("salvage");
  readonly embedder = this.#passedOn("embedder");
  readonly setEmbedder = this.#passedOn("setEmbedder");
  readonly claimEmbedder = this.#passedOn("claimEmbedder");
  readonly cached = this.#passedOn("cached");
  readonly cache = this.#passedOn("cache");
  readonly persons = this.#passedOn("persons");
  readonly personsWithQueue = this.#passedOn("personsWithQueue");
  readonly accept = this.#passedOn("accept");
  readonly queued = this.#passedOn("queued");
  readonly queuedCount = this.#passedOn("queuedCount");
  readonly expired = this.#passedOn("expired");
  readonly nextExpiryMs = this.#passedOn("nextExpiryMs");
  readonly outcomeCounts = this.#passedOn("outcomeCounts");
  readonly traces = this.#passedOn("traces");
  readonly revision = this.#passedOn("revision");
  readonly apply = this.#passedOn("apply");
  readonly tokens = this.#passedOn("tokens");
  readonly forgetPerson = this.#passedOn("forgetPerson");

  /** Opens the file, creates it if there is none. */
  static async open(options: SqliteOptions): Promise<SqliteStore> {
    checkOptions(options);
    const store = new SqliteStore(options);
    try {
      await store.describe();
      return store;
    } catch (error) {
      await store.#thread.terminate();
      throw error;
    }
  }

  private constructor(options: SqliteOptions) {
    this.#path = options.path;
    this.#thread = options.isInline === true ? this.#createInlineThread(options) : this.#startWorker(options);
    // An open store does not keep a process alive; a call waiting for its answer does.
    this.#thread.unref();
  }

  async history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    // Here, because an error of another thread loses its class.
    if (Number.isNaN(readCursor(selection.after))) throw new InputError("option_invalid", badCursor);
    return this.#call("history", person, selection);
  }

  load(person: string, sinceRevision = 0): Promise<PersonSnapshot> {
    const arriving = new ArrivingSnapshot();
    this.#post("load", [person, sinceRevision], arriving).then(
      () => arriving.end(),
      (error: unknown) => arriving.end({ error }),
    );
    return arriving.read();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#call("close").then(async () => void (await this.#thread.terminate()));
    await this.#closing;
  }

  #startWorker(options: SqliteOptions): StoreThread {
    const worker = new Worker(packageFile("dist/adapters/store/sqlite/worker.js"), {
      workerData: options,
      ...threadOptions(),
    });
    worker.on("message", (answer: Answer) => this.#take(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(undefined));
    return worker;
  }

  #createInlineThread(options: SqliteOptions): StoreThread {
    const host = new SqliteHost(options, (answer) => this.#take(answer));
    return {
      postMessage: (call: Call) => void setImmediate(() => host.take(call)),
      ref: () => {},
      unref: () => {},
      terminate: () => Promise.resolve(0),
    };
  }

  #passedOn<M extends Method>(method: M): (...args: Arguments<M>) => Promise<Result<M>> {
    return (...args) => this.#call(method, ...args);
  }

  #call<M extends Method>(method: M, ...args: Arguments<M>): Promise<Result<M>> {
    return this.#post(method, args) as Promise<Result<M>>;
  }

  #post(method: keyof SqliteDatabase, args: readonly unknown[], receiver?: LoadReceiver): Promise<unknown> {
    if (this.#closing !== undefined) {
      return Promise.reject(new StoreError("store_closed", `${this.#path} was closed; open it again`));
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextCallId++;
      this.#waiting.set(id, { resolve, reject, receiver });
      this.#thread.ref();
      this.#thread.postMessage({ id, method, args } satisfies Call);
    });
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if ("head" in answer) waiting?.receiver?.takeHead(answer.head);
    else if ("page" in answer) waiting?.receiver?.takePage(answer.page);
    else {
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) this.#thread.unref();
      if ("value" in answer) waiting?.resolve(answer.value);
      else waiting?.reject(toError(answer.error));
    }
  }

  #fail(cause: unknown): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new StoreError("store_failed", `the thread that serves ${this.#path} ended`, { cause }));
    }
    this.#waiting.clear();
  }
}

/** libsql takes an empty path for a temporary database, a URL for a server, and an empty key for no key. */
function checkOptions({ path, encryptionKey }: SqliteOptions): void {
  if (
    typeof path !== "string" ||
    path.trim() === "" ||
    path.includes("\0") ||
    /^(?:file:|[a-z][a-z\d+.-]+:\/\/)/iu.test(path)
  ) {
    throw new InputError("option_invalid", `path is ${JSON.stringify(path)}; it must be the path of a file`);
  }
  if (isFolder(path)) {
    const message = `${path} is a folder, not a database file; name a file, such as ${join(path, "mnemosyne.db")}`;
    throw new InputError("option_invalid", message);
  }
  if (encryptionKey !== undefined && (typeof encryptionKey !== "string" || encryptionKey === "")) {
    throw new InputError("option_invalid", "the encryption key is empty; omit it for a file without encryption");
  }
}

/** If the path cannot be inspected, opening it reports the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function toError({ code, message, stale }: AnsweredError): StoreError {
  return stale === undefined ? new StoreError(code, message) : new StaleRevisionError(...stale);
}
