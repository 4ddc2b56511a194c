/**
 * The encoder in a process of its own, which the first text starts: a crash in native code takes nothing else down,
 * onnxruntime aborts a whole process when a thread that runs it is ended, and WebAssembly computes without a pause.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { ModelError } from "../../errors.js";
import { packageFile } from "../../files/package-files.js";
import type { EmbeddedStatement, EmbeddedText, TalkWindow } from "../../ports/embedder.js";
import type { TextPair } from "./encoder.js";

/** On native code, or as WebAssembly. */
export type EncoderWay = "fast" | "portable";

/** Each asks for one result per text, window or pair. */
export type EncoderRequest =
  | { readonly texts: readonly string[] }
  | { readonly windows: readonly TalkWindow[] }
  | { readonly pairs: readonly TextPair[] };

export type EncoderCall = EncoderRequest & { readonly id: number };

export type EncoderAnswer =
  | { readonly id: number; readonly results: readonly (EmbeddedText | EmbeddedStatement[] | Float32Array)[] }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (results: readonly unknown[]) => void;
  readonly reject: (error: ModelError) => void;
}

/** Makes glibc return large blocks when they are freed, among them the weights before onnxruntime packed them. */
const memorySettings = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) };
/** A small heap for new objects: a text makes few. */
const heapSettings = ["--max-semi-space-size=1"];

export class EncoderProcess {
  readonly way: EncoderWay;
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #process: ChildProcess | undefined;

  /** `folder`: of the encoder's files. */
  constructor(way: EncoderWay, folder: string) {
    this.way = way;
    this.#folder = folder;
  }

  ask<Result>(request: EncoderRequest): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve: (results) => resolve([...results] as Result[]), reject });
      try {
        this.#process ??= this.#start();
        hold(this.#process);
        this.#process.send({ id, ...request } satisfies EncoderCall);
      } catch (cause) {
        this.#waiting.delete(id);
        reject(failure(String(cause), cause));
      }
    });
  }

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
    const program = packageFile("dist/adapters/encoder/process.js");
    const process = fork(program, [this.way, this.#folder], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: heapSettings,
      // Our own folder, wherever the caller works: it exists, and on Windows the weights are on the same drive.
      cwd: fileURLToPath(new URL(".", program)),
      env: { ...env, ...memorySettings },
    });
    process.on("message", (answer: EncoderAnswer) => {
      this.#settle(answer);
      if (this.#waiting.size === 0) release(process);
    });
    process.on("error", (error) => this.#end(process, error.message, error));
    process.on("exit", (code, signal) => this.#end(process, `its process ended with ${signal ?? `code ${code}`}`));
    return process;
  }

  #settle(answer: EncoderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("results" in answer) waiting?.resolve(answer.results);
    else waiting?.reject(failure(answer.error));
  }

  /** The process ended: waiting calls are rejected, and the next text starts another. */
  #end(process: ChildProcess, reason: string, cause?: unknown): void {
    if (this.#process === process) this.#process = undefined;
    for (const { reject } of this.#waiting.values()) reject(failure(reason, cause));
    this.#waiting.clear();
  }
}

function failure(reason: string, cause?: unknown): ModelError {
  return new ModelError("embedder_failed", `the bundled embedder failed: ${reason}`, { cause });
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
