/**
 * Texts on their way to the embedder: questions go before the texts of commitments, recently seen texts are not
 * embedded again, and the results are checked and quantized. Only one call is in progress at a time.
 */
import { type QuantizedVector, quantizeVector } from "../graph/vectors/quantized-vector.js";
import { ModelError } from "../errors.js";
import { type Reading, isReading } from "../graph/statement.js";
import type { EmbeddedText, Embedder, EmbedderIdentity, TalkWindow } from "../ports/embedder.js";
import { ModelTurns, type Priority } from "./model-turns.js";
import { withoutQuotes } from "./without-quotes.js";

interface Job {
  readonly text: string;
  readonly resolve: (embedding: Embedding) => void;
  readonly reject: (error: unknown) => void;
}

export interface Embedding {
  readonly vector: QuantizedVector;
  /** Words that say something, in order, with repeats; none where the embedder has no vectors of words. */
  readonly words: readonly string[];
  /** `wordDimensions` numbers per word. */
  readonly wordVectors: Float32Array;
}

/** A statement embedded in its talk, and what the embedder read of it. */
export interface StatementEmbedded extends Embedding {
  readonly reading: Reading;
}

interface CachedEmbedding {
  readonly embedding: Promise<Embedding>;
  /** How many numbers its words have, once it is known. */
  wordNumberCount: number;
}

/** A question waits for no more of a commitment than this. */
const windowsPerCall = 4;
/** About 2 MB of vectors. */
const cachedTextCountMax = 4_096;
/** 8 MB, about 16,000 words. */
const cachedWordNumberCountMax = 2_097_152;

export class EmbeddingQueue {
  readonly #embedder: Embedder;
  readonly #cache = new Map<string, CachedEmbedding>();
  #cachedWordNumberCount = 0;
  readonly #jobs: Record<Priority, Job[]> = { question: [], commitment: [] };
  readonly #turns: ModelTurns;
  /** Those of whom a call waits for its turn. */
  readonly #lined = new Set<Priority>();

  /** `turns`: of the model, if somebody else uses it too. */
  constructor(embedder: Embedder, turns = new ModelTurns()) {
    this.#embedder = embedder;
    this.#turns = turns;
  }

  get identity(): EmbedderIdentity {
    return this.#embedder.identity;
  }

  get runtime(): string | null {
    return this.#embedder.runtime ?? null;
  }

  /** 0 where the embedder has no vectors of words. */
  get wordDimensions(): number {
    return this.#embedder.embedWords === undefined ? 0 : (this.#embedder.wordDimensions ?? 0);
  }

  get embedsTalk(): boolean {
    return this.#embedder.embedTalk !== undefined;
  }

  async embed(texts: readonly string[], priority: Priority): Promise<QuantizedVector[]> {
    return (await this.embedWords(texts, priority)).map(({ vector }) => vector);
  }

  embedWords(texts: readonly string[], priority: Priority): Promise<Embedding[]> {
    return Promise.all(texts.map((text) => this.#embeddingOf(text, priority)));
  }

  /** The statements of all windows, in order. Only commits ask, once each, so nothing is kept here. */
  async embedTalk(windows: readonly TalkWindow[]): Promise<StatementEmbedded[]> {
    const statements: StatementEmbedded[] = [];
    for (let from = 0; from < windows.length; from += windowsPerCall) {
      const some = windows.slice(from, from + windowsPerCall);
      const embedded = await this.#turns.run("commitment", () => this.#embedWindows(some));
      for (const [i, window] of embedded.entries()) {
        if (window?.length !== some[i]!.texts.length) throw this.#countFailure("embedTalk");
        for (const each of window) statements.push({ ...this.#toEmbedding(each), reading: this.#checkReading(each) });
      }
    }
    return statements;
  }

  /** Drops every vector, so that no trace of a forgotten text remains here. */
  clearCache(): void {
    this.#cache.clear();
    this.#cachedWordNumberCount = 0;
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  #embeddingOf(text: string, priority: Priority): Promise<Embedding> {
    const known = this.#cache.get(text);
    if (known !== undefined) {
      this.#cache.delete(text);
      this.#cache.set(text, known);
      return known.embedding;
    }
    const embedding = new Promise<Embedding>((resolve, reject) => {
      this.#jobs[priority].push({ text, resolve, reject });
    });
    this.#keep(text, embedding);
    void this.#line(priority);
    return embedding;
  }

  #keep(text: string, embedding: Promise<Embedding>): void {
    const cached: CachedEmbedding = { embedding, wordNumberCount: 0 };
    this.#cache.set(text, cached);
    this.#makeRoom();
    embedding.then(
      ({ wordVectors }) => {
        if (this.#cache.get(text) !== cached) return;
        cached.wordNumberCount = wordVectors.length;
        this.#cachedWordNumberCount += wordVectors.length;
        this.#makeRoom();
      },
      () => {
        if (this.#cache.get(text) === cached) this.#cache.delete(text);
      },
    );
  }

  /** Drops what was used longest ago. */
  #makeRoom(): void {
    for (const [text, { wordNumberCount }] of this.#cache) {
      const isFull = this.#cache.size > cachedTextCountMax || this.#cachedWordNumberCount > cachedWordNumberCountMax;
      if (!isFull) return;
      this.#cache.delete(text);
      this.#cachedWordNumberCount -= wordNumberCount;
    }
  }

  async #line(priority: Priority): Promise<void> {
    if (this.#lined.has(priority)) return;
    this.#lined.add(priority);
    // Texts requested in the same turn of the event loop are sent together.
    await Promise.resolve();
    await this.#turns.run(priority, () => {
      const jobs = this.#takeFitting(this.#jobs[priority]);
      this.#lined.delete(priority);
      // In line again while these are embedded, so that the others do not go first.
      if (this.#jobs[priority].length > 0) void this.#line(priority);
      return this.#embedJobs(jobs);
    });
  }

  #takeFitting(jobs: Job[]): Job[] {
    const { textsPerCall, charactersPerCall = Infinity } = this.#embedder;
    let characterCount = 0;
    const isOver = jobs.slice(0, textsPerCall).map(({ text }) => (characterCount += text.length) > charactersPerCall);
    const fitting = isOver.indexOf(true);
    return jobs.splice(0, fitting === -1 ? textsPerCall : Math.max(1, fitting));
  }

  async #embedJobs(jobs: readonly Job[]): Promise<void> {
    const texts = jobs.map(({ text }) => text);
    try {
      const embedded = await this.#embedTexts(texts);
      jobs.forEach(({ resolve }, i) => resolve(this.#toEmbedding(embedded[i])));
    } catch (error) {
      const failure = this.#toFailure(error, texts);
      for (const { reject } of jobs) reject(failure);
    }
  }

  async #embedWindows(windows: readonly TalkWindow[]): ReturnType<NonNullable<Embedder["embedTalk"]>> {
    try {
      const embedded = await this.#embedder.embedTalk!(windows);
      if (embedded.length === windows.length) return embedded;
    } catch (error) {
      throw this.#toFailure(
        error,
        windows.flatMap(({ before, texts }) => (before === null ? texts : [before, ...texts])),
      );
    }
    throw this.#countFailure("embedTalk");
  }

  #checkReading({ reading }: { readonly reading?: unknown }): Reading {
    if (isReading(reading)) return reading;
    throw new ModelError("embedder_failed", `embedder "${this.identity.name}" did not return readings from 0 to 1`);
  }

  #countFailure(method: string): ModelError {
    const message = `${method} of embedder "${this.identity.name}" did not return one result for each text`;
    return new ModelError("embedder_failed", message);
  }

  #toFailure(error: unknown, texts: readonly string[]): ModelError {
    if (error instanceof ModelError) return error;
    const reason = withoutQuotes(String(error), [...texts]);
    return new ModelError("embedder_failed", `embedder "${this.identity.name}" failed: ${reason}`, { cause: error });
  }

  async #embedTexts(texts: readonly string[]): Promise<readonly EmbeddedText[]> {
    if (this.wordDimensions > 0) return this.#embedder.embedWords!(texts);
    const vectors = await this.#embedder.embed(texts);
    return vectors.map((vector) => ({ vector, words: [], wordVectors: new Float32Array() }));
  }

  #toEmbedding(embedded: EmbeddedText | undefined): Embedding {
    const vector = quantizeVector(this.#check(embedded?.vector, this.identity.dimensions));
    const { words, wordVectors } = embedded!;
    return { vector, words, wordVectors: this.#check(wordVectors, words.length * this.wordDimensions) };
  }

  #check(numbers: Float32Array | undefined, count: number): Float32Array {
    if (numbers?.length !== count || !numbers.every(Number.isFinite)) {
      const message = `embedder "${this.identity.name}" did not return ${count} finite numbers`;
      throw new ModelError("embedder_failed", message);
    }
    return numbers;
  }
}
