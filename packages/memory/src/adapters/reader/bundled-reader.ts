/**
 * The bundled reader: the bundled model with an adapter for each task, whose vectors a linear head turns into
 * probabilities. It shares the process and the weights of the bundled embedder.
 */
import { basename } from "node:path";
import { type Reading, abouts, lifeAreas } from "../../graph/statement.js";
import type { Embedder } from "../../ports/embedder.js";
import type { Reader, Relation, StatementInTalk, StatementPair } from "../../ports/reader.js";
import { BundledEmbedder, type BundledEmbedderOptions } from "../embedder/minilm/bundled.js";
import { type AdaptedEmbedder, ReaderFile, type ReaderHead, type ReaderTask } from "../embedder/minilm/reader-file.js";

const separator = " [SEP] ";
/** Of each of two texts, so that a long one does not leave the model without the other. */
const characterCountMax = 500;
/** Verdicts are the same wherever the model runs, up to rounding in the seventh digit; what is left is not. */
const precision = 1e4;

/** Reads with the embedder's own weights if it is the bundled one, otherwise with a model of its own, which it closes. */
export function createReader(embedder: Embedder, options: BundledEmbedderOptions): BundledReader {
  if (embedder instanceof BundledEmbedder) return new BundledReader(embedder);
  const model = new BundledEmbedder(options);
  return new BundledReader(model, () => model.close());
}

export class BundledReader implements Reader {
  readonly name: string;
  readonly #model: AdaptedEmbedder;
  readonly #heads = new Map<ReaderTask, ReaderHead>();
  readonly close: () => Promise<void>;

  /** Closing the model is left to whoever else uses it, unless `close` says otherwise. */
  constructor(model: AdaptedEmbedder, close = (): Promise<void> => Promise.resolve()) {
    this.#model = model;
    this.name = model.readerPath === undefined ? "bundled" : basename(model.readerPath);
    this.close = close;
  }

  runsOn(embedder: Embedder): boolean {
    return this.#model === embedder;
  }

  get runtime(): string {
    return this.#model.runtime ?? "";
  }

  async read(statements: readonly StatementInTalk[]): Promise<Reading[]> {
    const texts = statements.map(({ text, before }) => (before === null ? clean(text) : joinTexts(before, text)));
    return (await this.#ask(texts, "reading")).map(toReading);
  }

  async relate(pairs: readonly StatementPair[]): Promise<Relation[]> {
    const texts = pairs.map(({ older, newer }) => joinTexts(older, newer));
    return (await this.#ask(texts, "relation")).map((scores) => {
      const [repeats, ends, other] = toShares(scores);
      return { repeats: repeats!, ends: ends!, other: other! };
    });
  }

  async answers(question: string, statements: readonly string[]): Promise<number[]> {
    const texts = statements.map((statement) => joinTexts(question, statement));
    return (await this.#ask(texts, "relevance")).map(([score]) => toProbability(score!));
  }

  /** What the task's head makes of each text: a score per output. */
  async #ask(texts: readonly string[], task: ReaderTask): Promise<number[][]> {
    let head = this.#heads.get(task);
    if (head === undefined) this.#heads.set(task, (head = new ReaderFile(this.#model.readerPath).readHead(task)));
    const { weights, biases } = head;
    const vectors = await this.#model.embedAdapted(texts, task);
    return vectors.map((vector) =>
      weights.map((row, i) => row.reduce((sum, w, j) => sum + w * vector[j]!, biases[i]!)),
    );
  }
}

/** In the order of the head's outputs, as in training/train.py. */
function toReading([fact, lasting, alone, ...scores]: readonly number[]): Reading {
  return {
    fact: toProbability(fact!),
    lasting: toProbability(lasting!),
    alone: toProbability(alone!),
    about: abouts[highest(scores.slice(0, abouts.length))]!,
    area: lifeAreas[highest(scores.slice(abouts.length))]!,
  };
}

function highest(scores: readonly number[]): number {
  return scores.reduce((best, score, i) => (score > scores[best]! ? i : best), 0);
}

function joinTexts(first: string, second: string): string {
  return [first, second].map(clean).join(separator);
}

/** Nothing in a text may look like the border between two, nor what is left when that is taken out: so a space instead. */
function clean(text: string): string {
  return text.replaceAll(separator.trim(), " ").slice(0, characterCountMax);
}

function toProbability(score: number): number {
  return round(1 / (1 + Math.exp(-score)));
}

function toShares(scores: readonly number[]): number[] {
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => round(power / sum));
}

function round(probability: number): number {
  return Math.round(probability * precision) / precision;
}
