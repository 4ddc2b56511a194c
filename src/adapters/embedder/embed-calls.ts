/** Calls to a model that runs on another thread or in another process, each waiting for its answer. */
import { ModelError } from "../../errors.js";
import type { JudgeTask } from "./minilm/judge-file.js";

export interface EmbedCall {
  readonly id: number;
  readonly texts: readonly string[];
  /** To be judged instead of embedded. */
  readonly task?: JudgeTask;
}

export type EmbedAnswer =
  { readonly id: number; readonly vectors: readonly Float32Array[] } | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (vectors: Float32Array[]) => void;
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
    if (texts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      try {
        send({ id, texts, ...(task === undefined ? {} : { task }) });
      } catch (cause) {
        this.#waiting.delete(id);
        reject(this.#failure(String(cause), cause));
      }
    });
  }

  settle(answer: EmbedAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("vectors" in answer) waiting?.resolve([...answer.vectors]);
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
