/**
 * The bundled judge: the bundled model with an adapter for each task, whose vectors a linear head turns into
 * probabilities. It shares the process and the weights of the bundled embedder. docs/judge.md says what it was trained on
 * and how often it is wrong.
 */
import { basename } from "node:path";
import type { AreaShares, Judge, JudgedPair, Relation } from "../../ports/judge.js";
import type { Embedder } from "../../ports/embedder.js";
import { BundledEmbedder, type BundledEmbedderOptions } from "../embedder/minilm/bundled.js";
import { type AdaptedEmbedder, JudgeFile, type JudgeHead, type JudgeTask } from "../embedder/minilm/judge-file.js";

const separator = " [SEP] ";
/** In the order of the head's outputs, as in training/data.py. */
export const areaNames = [
  "passing",
  "self",
  "people",
  "home",
  "work",
  "alert",
  "health",
  "medicine",
  "carers",
  "help",
  "abilities",
  "food",
  "habits",
  "manner",
  "plans",
  "worries",
  "codes",
] as const satisfies (keyof AreaShares)[];
/** Of each of two texts, so that a long one does not leave the model without the other. */
const characterCountMax = 500;
/** Verdicts are the same wherever the model runs, up to rounding in the seventh digit; what is left is not. */
const precision = 1e4;

/** Judges with the embedder's own weights if it is the bundled one, otherwise with a model of its own, which it closes. */
export function createJudge(embedder: Embedder, options: BundledEmbedderOptions): AdapterJudge {
  if (embedder instanceof BundledEmbedder) return new AdapterJudge(embedder);
  const model = new BundledEmbedder(options);
  return new AdapterJudge(model, () => model.close());
}

export class AdapterJudge implements Judge {
  readonly name: string;
  readonly #model: AdaptedEmbedder;
  readonly #heads = new Map<JudgeTask, JudgeHead>();
  readonly close: () => Promise<void>;

  /** Closing the model is left to whoever else uses it, unless `close` says otherwise. */
  constructor(model: AdaptedEmbedder, close = (): Promise<void> => Promise.resolve()) {
    this.#model = model;
    this.name = model.judgePath === undefined ? "bundled" : basename(model.judgePath);
    this.close = close;
  }

  runsOn(embedder: Embedder): boolean {
    return this.#model === embedder;
  }

  get runtime(): string {
    return this.#model.runtime ?? "";
  }

  async substance(texts: readonly string[]): Promise<number[]> {
    return (await this.#read(texts, "substance")).map(([score]) => toProbability(score!));
  }

  async relation(pairs: readonly JudgedPair[]): Promise<Relation[]> {
    const texts = pairs.map(({ older, newer }) => joinTexts(older, newer));
    return (await this.#read(texts, "relation")).map((scores) => {
      const [repetition, update, different] = toShares(scores);
      return { repetition: repetition!, update: update!, different: different! };
    });
  }

  async relevance(question: string, statements: readonly string[]): Promise<number[]> {
    const texts = statements.map((statement) => joinTexts(question, statement));
    return (await this.#read(texts, "relevance")).map(([score]) => toProbability(score!));
  }

  async areas(statements: readonly string[]): Promise<AreaShares[]> {
    return (await this.#read(statements, "area")).map((scores) => {
      const shares = toShares(scores);
      return Object.fromEntries(areaNames.map((area, i) => [area, shares[i]!])) as AreaShares;
    });
  }

  /** What the task's head makes of each text: a score per output. */
  async #read(texts: readonly string[], task: JudgeTask): Promise<number[][]> {
    let head = this.#heads.get(task);
    if (head === undefined) this.#heads.set(task, (head = new JudgeFile(this.#model.judgePath).readHead(task)));
    const { weights, biases } = head;
    const vectors = await this.#model.embedAdapted(texts, task);
    return vectors.map((vector) =>
      weights.map((row, i) => row.reduce((sum, w, j) => sum + w * vector[j]!, biases[i]!)),
    );
  }
}

/** Nothing in a text may look like the border between two, nor what is left when that is taken out: so a space instead. */
function joinTexts(first: string, second: string): string {
  return [first, second]
    .map((text) => text.replaceAll(separator.trim(), " ").slice(0, characterCountMax))
    .join(separator);
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
