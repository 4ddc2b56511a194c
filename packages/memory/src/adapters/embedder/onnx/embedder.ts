/**
 * An embedder whose model runs on `onnxruntime-node`, an optional package with native code. It runs in a separate
 * process, which the first text starts: a crash in native code then takes nothing else down, and onnxruntime aborts a
 * whole process when a thread that runs it is ended.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../../files/package-files.js";
import type { EmbeddedText, EmbedderIdentity } from "../../../ports/embedder.js";
import { type EmbedAnswer, type EmbedCall, EmbedCalls } from "../embed-calls.js";
import type { AdaptedEmbedder } from "../minilm/adapted-embedder.js";
import type { JudgeTask } from "../minilm/judge-file.js";
import type { OnnxModelName } from "./model.js";

/** Makes glibc return large blocks when they are freed, among them the weights before onnxruntime packed them. */
const memorySettings = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) };
/** A small heap for new objects: a text makes few. */
const heapSettings = ["--max-semi-space-size=1"];

/** Short texts together take half as long as one by one; a question waits for at most some 30 ms of them. */
const charactersPerCall = 512;

export interface OnnxEmbedderOptions {
  readonly model: OnnxModelName;
  readonly identity: EmbedderIdentity;
  /** 1 for a model that runs text by text. */
  readonly textsPerCall: number;
  /** What error messages call the embedder. */
  readonly title: string;
  /** Of the judge's file, if it is not the bundled one. */
  readonly judgePath?: string | undefined;
}

export class OnnxEmbedder implements AdaptedEmbedder {
  readonly identity: EmbedderIdentity;
  readonly textsPerCall: number;
  readonly charactersPerCall = charactersPerCall;
  readonly #arguments: readonly string[];
  readonly #calls: EmbedCalls;
  #process: ChildProcess | undefined;

  constructor({ model, identity, textsPerCall, title, judgePath }: OnnxEmbedderOptions) {
    this.#arguments = judgePath === undefined ? [model] : [model, judgePath];
    this.#calls = new EmbedCalls(title);
    this.identity = identity;
    this.textsPerCall = textsPerCall;
  }

  get runtime(): string {
    return "onnxruntime";
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
    this.#process ??= this.#start();
    hold(this.#process);
    this.#process.send(call);
  };

  async close(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    hold(process);
    const exit = once(process, "exit");
    process.kill("SIGKILL");
    await exit;
  }

  #start(): ChildProcess {
    const program = packageFile("dist/adapters/embedder/onnx/process.js");
    const process = fork(program, this.#arguments, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: heapSettings,
      // Our own folder, wherever the caller works: it exists, and on Windows the weights are on the same drive.
      cwd: fileURLToPath(new URL(".", program)),
      env: { ...env, ...memorySettings },
    });
    process.on("message", (answer: EmbedAnswer) => {
      this.#calls.settle(answer);
      if (this.#calls.isEmpty) release(process);
    });
    process.on("error", (error) => this.#end(process, error.message, error));
    process.on("exit", (code, signal) => this.#end(process, `its process ended with ${signal ?? `code ${code}`}`));
    return process;
  }

  /** The process ended: waiting calls are rejected, and the next text starts another. */
  #end(process: ChildProcess, reason: string, cause?: unknown): void {
    if (this.#process === process) this.#process = undefined;
    this.#calls.fail(reason, cause);
  }
}

/** Keeps the caller's process alive while a text waits. */
function hold(process: ChildProcess): void {
  process.ref();
  process.channel?.ref?.();
}

function release(process: ChildProcess): void {
  process.unref();
  process.channel?.unref?.();
}
