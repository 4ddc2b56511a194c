/**
 * Calls of an object on another thread, or on this one behind the same door: one at a time, in order. An answer can be
 * preceded by parts, whose bytes are transferred instead of copied.
 */
import { Worker } from "node:worker_threads";
import { MnemosyneError, StaleRevisionError, StoreError } from "../errors.js";
import { packageFile, threadOptions } from "./package-files.js";

export interface Call {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly part: unknown }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: AnsweredError };

/** What of an error travels between threads: the object itself would lose its class. */
interface AnsweredError {
  readonly code: MnemosyneError["code"];
  readonly message: string;
  readonly cause: string | undefined;
  /** The fields of a StaleRevisionError. */
  readonly stale?: ConstructorParameters<typeof StaleRevisionError>;
}

/** Answers calls; a generator's values are parts. */
export class CallAnswerer {
  readonly #make: () => object;
  readonly #toError: (method: string, error: unknown) => MnemosyneError;
  readonly #answer: (answer: Answer, transferred: readonly ArrayBuffer[]) => void;
  #target: object | undefined;

  constructor(
    make: () => object,
    toError: (method: string, error: unknown) => MnemosyneError,
    answer: (answer: Answer, transferred: readonly ArrayBuffer[]) => void,
  ) {
    this.#make = make;
    this.#toError = toError;
    this.#answer = answer;
  }

  /** The method gets a function for its parts as its last argument. */
  take({ id, method, args }: Call): void {
    const send = (part: unknown, transferred: readonly ArrayBuffer[]): void => this.#answer({ id, part }, transferred);
    try {
      const target = (this.#target ??= this.#make()) as Record<string, (...args: unknown[]) => unknown>;
      this.#answer({ id, value: target[method]!(...args, send) }, []);
    } catch (error) {
      const known = error instanceof MnemosyneError ? error : this.#toError(method, error);
      const { code, message, cause } = known;
      const answered = { code, message, cause: cause === undefined ? undefined : String(cause) };
      const isStale = known instanceof StaleRevisionError;
      const stale = isStale ? ([known.person, known.expected, known.actual] as const) : undefined;
      this.#answer({ id, error: { ...answered, ...(stale && { stale: [...stale] }) } }, []);
    }
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly takePart: ((part: unknown) => void) | undefined;
}

/** An open one does not keep a process alive; a call that waits for its answer does. */
export class ThreadCalls {
  readonly #thread: Pick<Worker, "postMessage" | "ref" | "unref" | "terminate">;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  /** On a worker thread that runs a file of this package, or on the caller's. */
  constructor(
    place: { readonly file: string; readonly data: unknown } | ((answer: (answer: Answer) => void) => CallAnswerer),
  ) {
    if (typeof place === "function") {
      const answerer = place((answer) => this.#take(answer));
      const nothing = (): void => {};
      this.#thread = {
        postMessage: (call: Call) => void setImmediate(() => answerer.take(call)),
        ref: nothing,
        unref: nothing,
        terminate: () => Promise.resolve(0),
      };
      return;
    }
    const worker = new Worker(packageFile(place.file), { workerData: place.data, ...threadOptions() });
    worker.on("message", (answer: Answer) => this.#take(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(undefined));
    worker.unref();
    this.#thread = worker;
  }

  call(method: string, args: readonly unknown[], takePart?: (part: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject, takePart });
      this.#thread.ref();
      this.#thread.postMessage({ id, method, args } satisfies Call);
    });
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if ("part" in answer) return waiting?.takePart?.(answer.part);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#thread.unref();
    if ("value" in answer) waiting?.resolve(answer.value);
    else waiting?.reject(toError(answer.error));
  }

  #fail(cause: unknown): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new StoreError("store_failed", "the thread that serves the store ended", { cause }));
    }
    this.#waiting.clear();
  }
}

function toError({ code, message, cause, stale }: AnsweredError): StoreError {
  if (stale !== undefined) return new StaleRevisionError(...stale);
  return new StoreError(code, message, cause === undefined ? {} : { cause: new Error(cause) });
}

/** Values that arrive before somebody asks for them. */
export class Arrivals<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: Value): void {
    this.#values.push(value);
    this.#wake();
  }

  /** Nothing more will arrive; if there is an error, some of it is missing. */
  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    this.#wake();
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    while (this.#values.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#values.length > 0) return { done: false, value: this.#values.shift()! };
    if (this.#end?.error !== undefined) throw this.#end.error;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): AsyncIterator<Value, undefined> {
    return { next: () => this.next() };
  }
}
