/** Calls to a model that runs on another thread or in another process, each waiting for its answer. */
import { ModelError } from "../../errors.js";
import type { EmbeddedText } from "../../ports/embedder.js";
import type { JudgeTask } from "./minilm/judge-file.js";

export interface EmbedCall {
  readonly id: number;
  readonly texts: readonly string[];
  /** To be judged instead of embedded. */
  readonly task?: JudgeTask;
  /** The answer has a vector for each word too. */
  readonly withWords?: true;
}

/** One result per text: with words where they were asked for. */
export type EmbedAnswer =
  | { readonly id: number; readonly results: readonly (Float32Array | EmbeddedText)[] }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (results: readonly unknown[]) => void;
  readonly reject: (error: ModelError) => void;
}

export class EmbedCalls {
  readonly #title: string;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  /** `title` is what error messages call the embedder. */
  constructor(title: string) {
    this.#title = title;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Sends texts through `send` and waits for the answer; with a task they are judged instead of embedded. */
  open(texts: readonly string[], send: (call: EmbedCall) => void, task?: JudgeTask): Promise<Float32Array[]> {
    return this.#open(send, { texts, ...(task === undefined ? {} : { task }) });
  }

  openWithWords(texts: readonly string[], send: (call: EmbedCall) => void): Promise<EmbeddedText[]> {
    return this.#open(send, { texts, withWords: true });
  }

  #open<Result>(send: (call: EmbedCall) => void, request: Omit<EmbedCall, "id">): Promise<Result[]> {
    if (request.texts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve: (results) => resolve([...results] as Result[]), reject });
      try {
        send({ id, ...request });
      } catch (cause) {
        this.#waiting.delete(id);
        reject(this.#failure(String(cause), cause));
      }
    });
  }

  settle(answer: EmbedAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("results" in answer) waiting?.resolve(answer.results);
    else waiting?.reject(this.#failure(answer.error));
  }

  /** Rejects every waiting call: no more answers will come. */
  fail(reason: string, cause?: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(this.#failure(reason, cause));
    this.#waiting.clear();
  }

  #failure(reason: string, cause?: unknown): ModelError {
    return new ModelError("embedder_failed", `${this.#title} failed: ${reason}`, { cause });
  }
}
