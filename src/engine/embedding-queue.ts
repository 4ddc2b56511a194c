/**
 * Texts on their way to the embedder: questions go before the texts of commitments, recently seen texts are not
 * embedded again, and the results are checked and quantized. Only one call is in progress at a time.
 */
import { type QuantizedVector, quantizeVector } from "../core/vectors/quantized-vector.js";
import { ModelError } from "../errors.js";
import type { Embedder, EmbedderIdentity } from "../ports/embedder.js";
import { withoutQuotes } from "./without-quotes.js";

export type Priority = "question" | "commitment";

interface Job {
  readonly text: string;
  readonly resolve: (vector: QuantizedVector) => void;
  readonly reject: (error: unknown) => void;
}

/** About 2 MB of vectors. */
const cachedTextCountMax = 4_096;

export class EmbeddingQueue {
  readonly #embedder: Embedder;
  readonly #cache = new Map<string, Promise<QuantizedVector>>();
  readonly #jobs: Record<Priority, Job[]> = { question: [], commitment: [] };
  #isRunning = false;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get identity(): EmbedderIdentity {
    return this.#embedder.identity;
  }

  get runtime(): string | null {
    return this.#embedder.runtime ?? null;
  }

  embed(texts: readonly string[], priority: Priority): Promise<QuantizedVector[]> {
    return Promise.all(texts.map((text) => this.#vectorOf(text, priority)));
  }

  /** Drops every vector, so that no trace of a forgotten text remains here. */
  clearCache(): void {
    this.#cache.clear();
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  #vectorOf(text: string, priority: Priority): Promise<QuantizedVector> {
    const known = this.#cache.get(text);
    if (known !== undefined) {
      this.#cache.delete(text);
      this.#cache.set(text, known);
      return known;
    }
    const vector = new Promise<QuantizedVector>((resolve, reject) => {
      this.#jobs[priority].push({ text, resolve, reject });
    });
    this.#cache.set(text, vector);
    vector.catch(() => this.#cache.delete(text));
    if (this.#cache.size > cachedTextCountMax) this.#cache.delete(this.#cache.keys().next().value!);
    void this.#run();
    return vector;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Texts requested in the same turn of the event loop are sent together.
    await Promise.resolve();
    for (let jobs = this.#nextJobs(); jobs.length > 0; jobs = this.#nextJobs()) await this.#embedJobs(jobs);
    this.#isRunning = false;
  }

  #nextJobs(): Job[] {
    const { question, commitment } = this.#jobs;
    return (question.length > 0 ? question : commitment).splice(0, this.#embedder.textsPerCall);
  }

  async #embedJobs(jobs: readonly Job[]): Promise<void> {
    try {
      const vectors = await this.#embedder.embed(jobs.map(({ text }) => text));
      jobs.forEach(({ resolve }, i) => resolve(quantizeVector(this.#check(vectors[i]))));
    } catch (error) {
      const failure =
        error instanceof ModelError
          ? error
          : new ModelError("embedder_failed", `embedder "${this.identity.name}" failed: ${this.#reason(error, jobs)}`, {
              cause: error,
            });
      for (const { reject } of jobs) reject(failure);
    }
  }

  #reason(error: unknown, jobs: readonly Job[]): string {
    return withoutQuotes(
      String(error),
      jobs.map(({ text }) => text),
    );
  }

  #check(vector: Float32Array | undefined): Float32Array {
    const { name, dimensions } = this.identity;
    if (vector?.length !== dimensions || !vector.every(Number.isFinite)) {
      throw new ModelError("embedder_failed", `embedder "${name}" did not return ${dimensions} finite numbers`);
    }
    return vector;
  }
}
