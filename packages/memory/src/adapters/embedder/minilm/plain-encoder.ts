/**
 * The bundled model in plain TypeScript, for platforms without onnxruntime: no native code, no download, and the same
 * vectors up to rounding, at a tenth of the speed. One text at a time; the steps are those of `bert-graph.ts`.
 */
import type { Encoder, Texts } from "./encoder.js";
import { ReaderFile, type ReaderTask } from "./reader-file.js";
import { type ModelFiles, findHalfPrecision, layerName, readWords } from "./model-files.js";
import { readHalfPrecision } from "./safetensors.js";

export class PlainEncoder implements Encoder {
  readonly #files: ModelFiles;
  readonly #readerPath: string | undefined;
  #judge: ReaderFile | undefined;
  readonly #numbers = new Map<string, Float32Array>();

  constructor(files: ModelFiles, readerPath?: string) {
    this.#files = files;
    this.#readerPath = readerPath;
  }

  async encode(texts: Texts, task?: ReaderTask): Promise<Float32Array[]> {
    return texts.map((pieces) => this.#encodeText(pieces, task));
  }

  #encodeText(pieces: readonly number[], task: ReaderTask | undefined): Float32Array {
    const { hidden_size: size, num_attention_heads: headCount, num_hidden_layers: layerCount } = this.#files.config;
    const state = readWords(this.#files, pieces);
    const types = this.#weight("embeddings.token_type_embeddings.weight");
    const positions = this.#weight("embeddings.position_embeddings.weight");
    for (let i = 0; i < state.length; i++) state[i]! += types[i % size]! + positions[i]!;
    this.#normalize(state, "embeddings.LayerNorm");
    for (let layer = 0; layer < layerCount; layer++) {
      const name = layerName(layer);
      const [query, key, value] = ["query", "key", "value"].map((part) =>
        this.#dense(state, size, `${name}.attention.self.${part}`, task),
      ) as [Float32Array, Float32Array, Float32Array];
      const attended = attend(query, key, value, size, headCount);
      addTo(state, this.#dense(attended, size, `${name}.attention.output.dense`, task));
      this.#normalize(state, `${name}.attention.output.LayerNorm`);
      const wide = this.#dense(state, size, `${name}.intermediate.dense`, task).map(gelu);
      addTo(state, this.#dense(wide, wide.length / pieces.length, `${name}.output.dense`, task));
      this.#normalize(state, `${name}.output.LayerNorm`);
    }
    return state;
  }

  #dense(rows: Float32Array, width: number, name: string, task: ReaderTask | undefined): Float32Array {
    const out = multiply(rows, width, this.#weight(`${name}.weight`), this.#weight(`${name}.bias`));
    if (task === undefined) return out;
    this.#judge ??= new ReaderFile(this.#readerPath);
    if (!this.#judge.layers.has(name)) return out;
    const reads = this.#adapterRows(this.#judge, task, name, "reads");
    const writes = this.#adapterRows(this.#judge, task, name, "writes");
    const rankCount = reads.length / width;
    const low = multiply(rows, width, reads, new Float32Array(rankCount));
    const outWidth = writes.length / rankCount;
    for (let i = 0; i < low.length; i++) {
      const start = Math.floor(i / rankCount) * outWidth;
      const from = (i % rankCount) * outWidth;
      for (let k = 0; k < outWidth; k++) out[start + k]! += low[i]! * writes[from + k]!;
    }
    return out;
  }

  /** Each row with mean 0 and variance 1, then times a weight plus a bias. */
  #normalize(rows: Float32Array, name: string): void {
    const [weight, bias] = [this.#weight(`${name}.weight`), this.#weight(`${name}.bias`)];
    const width = weight.length;
    for (let start = 0; start < rows.length; start += width) {
      const row = rows.subarray(start, start + width);
      let sum = 0;
      for (let i = 0; i < width; i++) sum += row[i]!;
      const mean = sum / width;
      let squares = 0;
      for (let i = 0; i < width; i++) squares += (row[i]! - mean) ** 2;
      const scale = 1 / Math.sqrt(squares / width + this.#files.config.layer_norm_eps);
      for (let i = 0; i < width; i++) row[i] = (row[i]! - mean) * scale * weight[i]! + bias[i]!;
    }
  }

  #weight(name: string): Float32Array {
    return this.#once(name, () => {
      const { start, byteCount } = findHalfPrecision(this.#files, name);
      const numbers = new Float32Array(byteCount / Uint16Array.BYTES_PER_ELEMENT);
      readHalfPrecision(this.#files.weightsPath, [start], numbers);
      return numbers;
    });
  }

  #adapterRows(judge: ReaderFile, task: ReaderTask, name: string, side: "reads" | "writes"): Float32Array {
    return this.#once(`${task} ${side} ${name}`, () => judge.readRows(task, name, side));
  }

  #once(name: string, read: () => Float32Array): Float32Array {
    let numbers = this.#numbers.get(name);
    if (numbers === undefined) this.#numbers.set(name, (numbers = read()));
    return numbers;
  }
}

/** Each row's dot product with each row of weights, plus that row's bias: two rows by four weights at a time. */
function multiply(rows: Float32Array, width: number, weights: Float32Array, biases: Float32Array): Float32Array {
  const lastRow = rows.length / width - 1;
  const lastWeight = biases.length - 1;
  const out = new Float32Array((lastRow + 1) * biases.length);
  // At the edges the last one is computed again instead of the missing ones.
  for (let w = 0; w <= lastWeight; w += 4) {
    const w1 = Math.min(w + 1, lastWeight);
    const w2 = Math.min(w + 2, lastWeight);
    const w3 = Math.min(w + 3, lastWeight);
    for (let row = 0; row <= lastRow; row += 2) {
      const row1 = Math.min(row + 1, lastRow);
      let [x0, x1, x2, x3, y0, y1, y2, y3] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let i = 0; i < width; i++) {
        const x = rows[row * width + i]!;
        const y = rows[row1 * width + i]!;
        const a = weights[w * width + i]!;
        const b = weights[w1 * width + i]!;
        const c = weights[w2 * width + i]!;
        const d = weights[w3 * width + i]!;
        x0 += x * a;
        x1 += x * b;
        x2 += x * c;
        x3 += x * d;
        y0 += y * a;
        y1 += y * b;
        y2 += y * c;
        y3 += y * d;
      }
      const xs = [x0 + biases[w]!, x1 + biases[w1]!, x2 + biases[w2]!, x3 + biases[w3]!];
      const ys = [y0 + biases[w]!, y1 + biases[w1]!, y2 + biases[w2]!, y3 + biases[w3]!];
      [w, w1, w2, w3].forEach((at, k) => {
        out[row * biases.length + at] = xs[k]!;
        out[row1 * biases.length + at] = ys[k]!;
      });
    }
  }
  return out;
}

/** For each head, every piece becomes a mean of all pieces' values, weighted by how well their keys answer its query. */
function attend(query: Float32Array, key: Float32Array, value: Float32Array, size: number, headCount: number) {
  const out = new Float32Array(query.length);
  const headSize = size / headCount;
  const count = query.length / size;
  const shares = new Float64Array(count);
  for (let first = 0; first < size; first += headSize) {
    for (let row = first; row < query.length; row += size) {
      let largest = -Infinity;
      for (let k = 0; k < count; k++) {
        let product = 0;
        for (let i = 0; i < headSize; i++) product += query[row + i]! * key[k * size + first + i]!;
        shares[k] = product / Math.sqrt(headSize);
        largest = Math.max(largest, shares[k]!);
      }
      let sum = 0;
      for (let k = 0; k < count; k++) sum += shares[k] = Math.exp(shares[k]! - largest);
      for (let k = 0; k < count; k++) {
        const share = shares[k]! / sum;
        for (let i = 0; i < headSize; i++) out[row + i]! += share * value[k * size + first + i]!;
      }
    }
  }
  return out;
}

function addTo(state: Float32Array, change: Float32Array): void {
  for (let i = 0; i < state.length; i++) state[i]! += change[i]!;
}

/** x times the share of a normal distribution below x. */
function gelu(x: number): number {
  return (x / 2) * (1 + erf(x * Math.SQRT1_2));
}

/** The error function, off by at most 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
