/**
 * One text on its way through the portable encoder: the steps of `bert-graph.ts`, each in place of what is no longer
 * needed. Products of matrices take nearly all the time, so they run in the kernel.
 */
import type { Matrix, MatrixKernel } from "../../../core/vectors/matrix-kernel.js";
import type { BertConfig } from "../onnx/bert-graph.js";
import type { EncoderMemory, EncoderScratch } from "./encoder-memory.js";
import { applyGelu, normalizeRows, toShares, transpose } from "./encoder-steps.js";

/** Which ranks of the adapter take part. */
export interface Ranks {
  readonly first: number;
  readonly count: number;
}

export class EncoderPass {
  readonly #memory: EncoderMemory;
  readonly #config: BertConfig;
  readonly #ranks: Ranks | undefined;
  readonly #scratch: EncoderScratch;

  constructor(memory: EncoderMemory, config: BertConfig, pieceCount: number, ranks: Ranks | undefined) {
    this.#memory = memory;
    this.#config = config;
    this.#ranks = ranks;
    this.#scratch = memory.placeScratch(pieceCount, ranks?.count ?? 0);
  }

  /** A row per word piece, as far as it has come. */
  get states(): Float32Array {
    const { start, rowCount, stride } = this.#scratch.state;
    return this.#memory.kernel.numbers.subarray(start, start + rowCount * stride);
  }

  /** `words` are the vectors of the word pieces; all belong to the first of two texts (there is only one). */
  embeddings(words: Float32Array): void {
    const { states } = this;
    const { width } = this.#scratch.state;
    const types = this.#numbersOf("embeddings.token_type_embeddings.weight");
    const positions = this.#numbersOf("embeddings.position_embeddings.weight");
    for (let i = 0; i < states.length; i++) states[i] = words[i]! + types[i % width]! + positions[i]!;
    this.#normalize("embeddings.LayerNorm");
  }

  layer(name: string): void {
    const { state, attended, change, wide } = this.#scratch;
    this.#attention(`${name}.attention.self`);
    this.#linear(attended, `${name}.attention.output.dense`, change);
    this.#addAndNormalize(`${name}.attention.output.LayerNorm`);
    this.#linear(state, `${name}.intermediate.dense`, wide);
    applyGelu(this.#kernel.numbers, wide);
    this.#linear(wide, `${name}.output.dense`, change);
    this.#addAndNormalize(`${name}.output.LayerNorm`);
  }

  #attention(name: string): void {
    const { state, query, key, value, valueColumns, shares, attended } = this.#scratch;
    const { numbers } = this.#kernel;
    this.#linear(state, `${name}.query`, query);
    this.#linear(state, `${name}.key`, key);
    this.#linear(state, `${name}.value`, value);
    transpose(numbers, value, numbers, valueColumns);
    clear(numbers, attended);
    const size = state.width / this.#config.num_attention_heads;
    for (let first = 0; first < state.width; first += size) {
      clear(numbers, shares);
      this.#kernel.addProducts(takeColumns(query, first, size), takeColumns(key, first, size), shares);
      toShares(numbers, shares, 1 / Math.sqrt(size));
      this.#kernel.addProducts(shares, takeRows(valueColumns, first, size), takeColumns(attended, first, size));
    }
  }

  #linear(rows: Matrix, name: string, out: Matrix): void {
    const { numbers } = this.#kernel;
    const biases = this.#numbersOf(`${name}.bias`);
    for (let row = 0; row < out.rowCount; row++) numbers.set(biases, out.start + row * out.stride);
    this.#kernel.addProducts(rows, this.#weight(`${name}.weight`), out);
    const change = this.#memory.changes.get(name);
    if (this.#ranks === undefined || change === undefined) return;
    const { first, count } = this.#ranks;
    const { low } = this.#scratch;
    clear(numbers, low);
    this.#kernel.addProducts(rows, takeRows(change.reads, first, count), low);
    this.#kernel.addProducts(low, takeColumns(change.writes, first, count), out);
  }

  /** Adds the change to the state. */
  #addAndNormalize(name: string): void {
    const { states } = this;
    const { start } = this.#scratch.change;
    const { numbers } = this.#kernel;
    for (let i = 0; i < states.length; i++) states[i]! += numbers[start + i]!;
    this.#normalize(name);
  }

  #normalize(name: string): void {
    const [weight, bias] = [this.#weight(`${name}.weight`), this.#weight(`${name}.bias`)];
    normalizeRows(this.#kernel.numbers, this.#scratch.state, weight, bias, this.#config.layer_norm_eps);
  }

  #numbersOf(name: string): Float32Array {
    const { start, rowCount, width } = this.#weight(name);
    return this.#kernel.numbers.subarray(start, start + rowCount * width);
  }

  #weight(name: string): Matrix {
    const weight = this.#memory.weights.get(name);
    if (weight === undefined) throw new Error(`the model has no tensor ${name}`);
    return weight;
  }

  get #kernel(): MatrixKernel {
    return this.#memory.kernel;
  }
}

function takeRows(matrix: Matrix, first: number, rowCount: number): Matrix {
  return { ...matrix, start: matrix.start + first * matrix.stride, rowCount };
}

function takeColumns(matrix: Matrix, first: number, width: number): Matrix {
  return { ...matrix, start: matrix.start + first, width };
}

function clear(numbers: Float32Array, { start, rowCount, stride }: Matrix): void {
  numbers.fill(0, start, start + rowCount * stride);
}
