/**
 * A BERT encoder as an ONNX model: the vectors of one text's word pieces in, the text's vector out (the mean over the
 * pieces, at unit length) and, if asked for, a projection of each piece's last state. One text per run, so there is no padding and no mask, and a text's vector does not depend on
 * what else is embedded with it. The model says where in their file the weights are, in half precision; onnxruntime
 * maps them, widens them once when it loads the model, and computes in single precision. Half of all weights are the
 * vectors of word pieces, of which a text needs a few dozen, so they stay out of the model.
 */
import { relative } from "node:path";
import { type Attribute, OnnxGraph, type Value, elementType, runtimeDomain } from "./graph.js";
import type { StoredTensor } from "./safetensors.js";

/** The part of a model's `config.json` that we read. */
export interface BertConfig {
  readonly hidden_size: number;
  readonly num_attention_heads: number;
  readonly num_hidden_layers: number;
  readonly layer_norm_eps: number;
}

/** The vectors of the word pieces, one per row. */
export const inputName = "words";
export const wordsName = "embeddings.word_embeddings.weight";

/** What passes from part to part: a row per word piece. */
export const stateName = "state";

/** For each rank of the adapter, whether it takes part: all 0 for the model as it is. */
export const adapterShareName = "adapter share";

/** Low-rank changes to dense layers, by the layer's name: rank by rank, a row that reads and a row that writes. */
export type BertAdapter = ReadonlyMap<string, LowRankChange>;

export interface LowRankChange {
  readonly rank: number;
  readonly reads: Float32Array;
  readonly writes: Float32Array;
}

export interface BertGraph {
  readonly bytes: Uint8Array;
  readonly outputName: string;
  /** Of the projected states, a row per word piece. */
  readonly projectedName: string | undefined;
}

/** The model in parts that run one after another. One layer serves for all: its weights are inputs. */
export interface BertParts {
  readonly embeddings: BertGraph;
  readonly layer: BertGraph;
  /** A layer's weights, by their names within it. */
  readonly weightNames: readonly string[];
  readonly ending: BertGraph;
}

/** Where weights are: the file and its table. */
export interface BertWeights {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** `projection` has a row of weights for each number that is to come out per word piece. */
export function writeBertGraph(
  weights: BertWeights,
  config: BertConfig,
  adapter?: BertAdapter,
  projection?: Float32Array,
): BertGraph {
  const bert = new BertWriter(weights, config, "stored", adapter);
  let state = bert.embeddings();
  for (let layer = 0; layer < config.num_hidden_layers; layer++) state = bert.layer(state, layerName(layer));
  const projected = projection === undefined ? undefined : bert.project(state, projection);
  return bert.finish(inputName, bert.ending(state), projected);
}

/** The numbers of the adapter are inputs, as all weights of the layer. */
export function writeBertParts(weights: BertWeights, config: BertConfig, adapter?: BertAdapter): BertParts {
  const first = new BertWriter(weights, config, "stored");
  const middle = new BertWriter(weights, config, "inputs", adapter);
  const last = new BertWriter(weights, config, "stored");
  return {
    embeddings: first.finish(inputName, first.embeddings()),
    layer: middle.finish(stateName, middle.layer(stateName, layerName(0))),
    weightNames: middle.weightNames.map((name) => name.slice(layerName(0).length)),
    ending: last.finish(stateName, last.ending(stateName)),
  };
}

export function layerName(layer: number): string {
  return `encoder.layer.${layer}`;
}

class BertWriter {
  readonly #graph = new OnnxGraph();
  readonly #weights: BertWeights;
  readonly #config: BertConfig;
  readonly #kind: "stored" | "inputs";
  readonly #adapter: BertAdapter | undefined;
  readonly #inputs: Value[] = [];

  constructor(weights: BertWeights, config: BertConfig, kind: "stored" | "inputs", adapter?: BertAdapter) {
    this.#weights = weights;
    this.#config = config;
    this.#kind = kind;
    this.#adapter = adapter;
  }

  /** Of the weights that are inputs. */
  get weightNames(): string[] {
    return this.#inputs.map(({ name }) => name);
  }

  /** For each piece: what it is, its position, and that it belongs to the first of two texts (there is only one). */
  embeddings(): string {
    const graph = this.#graph;
    const zero = graph.addWholeNumbers("zero", [0]);
    const one = graph.addWholeNumbers("one", [1]);
    const count = graph.add("Slice", [graph.add("Shape", [inputName]), zero, one]);
    const firstRows = (name: string, rowCount: string): string =>
      this.#widen(graph.add("Slice", [this.#stored(`embeddings.${name}_embeddings.weight`), zero, rowCount]));
    const words = graph.add("Add", [inputName, firstRows("token_type", one)]);
    const sum = graph.add("Add", [words, firstRows("position", count)]);
    const { weight, bias } = this.#parts("embeddings.LayerNorm");
    return graph.add("LayerNormalization", [sum, weight, bias], { axis: -1, ...this.#epsilon() });
  }

  layer(state: string, name: string): string {
    const attended = this.#linear(this.#attention(state, `${name}.attention.self`), `${name}.attention.output.dense`);
    const middle = this.#addAndNormalize(state, attended, `${name}.attention.output.LayerNorm`);
    const wide = this.#addOwn("Gelu", [this.#linear(middle, `${name}.intermediate.dense`)]);
    return this.#addAndNormalize(middle, this.#linear(wide, `${name}.output.dense`), `${name}.output.LayerNorm`);
  }

  ending(state: string): string {
    const mean = this.#graph.add("ReduceMean", [state], { axes: [0], keepdims: 1 });
    return this.#graph.add("LpNormalization", [mean], { axis: -1, p: 2 });
  }

  project(state: string, projection: Float32Array): string {
    const rows = this.#rows("projection", projection, projection.length / this.#config.hidden_size);
    return this.#graph.add("Gemm", [state, rows], { transB: 1 });
  }

  finish(input: string, outputName: string, projectedName?: string): BertGraph {
    const shape = ["piece count", this.#config.hidden_size];
    const share = { name: adapterShareName, type: elementType.float32, shape: ["rank"] };
    const inputs = [
      { name: input, type: elementType.float32, shape },
      ...(this.#adapter === undefined ? [] : [share]),
      ...this.#inputs,
    ];
    const outputs = [
      { name: outputName, type: elementType.float32, shape: ["row count", this.#config.hidden_size] },
      ...(projectedName === undefined
        ? []
        : [{ name: projectedName, type: elementType.float32, shape: ["piece count", "projected size"] }]),
    ];
    return { bytes: this.#graph.toBytes("bert", inputs, outputs), outputName, projectedName };
  }

  #attention(state: string, name: string): string {
    const graph = this.#graph;
    const { hidden_size: size, num_attention_heads: headCount } = this.#config;
    const oneText = graph.addWholeNumbers("shape of one text", [1, -1, size]);
    const rows = graph.addWholeNumbers("shape of its rows", [-1, size]);
    const parts = ["query", "key", "value"].map((part) => this.#linear(state, `${name}.${part}`));
    const inputs = parts.map((part) => graph.add("Reshape", [part, oneText]));
    const attended = this.#addOwn("MultiHeadAttention", inputs, { num_heads: headCount });
    return graph.add("Reshape", [attended, rows]);
  }

  #linear(state: string, name: string): string {
    const { weight, bias } = this.#parts(name);
    const dense = this.#graph.add("Gemm", [state, weight, bias], { transB: 1 });
    const change = this.#adapter?.get(name);
    if (change === undefined) return dense;
    const low = this.#graph.add("Gemm", [state, this.#rows(`${name}.reads`, change.reads, change.rank)], { transB: 1 });
    const share = this.#graph.add("Mul", [low, adapterShareName]);
    return this.#graph.add("Gemm", [share, this.#rows(`${name}.writes`, change.writes, change.rank), dense]);
  }

  #rows(name: string, numbers: Float32Array, rank: number): string {
    const shape = [rank, numbers.length / rank];
    if (this.#kind === "stored") {
      const content = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      return this.#graph.addTensor(name, { type: elementType.float32, shape, content });
    }
    this.#inputs.push({ name, type: elementType.float32, shape });
    return name;
  }

  #addAndNormalize(state: string, change: string, name: string): string {
    const { weight, bias } = this.#parts(name);
    return this.#addOwn("SkipLayerNormalization", [state, change, weight, bias], this.#epsilon());
  }

  #addOwn(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.#graph.add(operator, inputs, attributes, runtimeDomain);
  }

  #epsilon(): { epsilon: Attribute } {
    return { epsilon: { float: this.#config.layer_norm_eps } };
  }

  #parts(name: string): { weight: string; bias: string } {
    return { weight: this.#weight(`${name}.weight`), bias: this.#weight(`${name}.bias`) };
  }

  #weight(name: string): string {
    if (this.#kind === "stored") return this.#widen(this.#stored(name));
    const { shape } = findHalfPrecision(this.#weights, name);
    this.#inputs.push({ name, type: elementType.float32, shape });
    return name;
  }

  #widen(name: string): string {
    return this.#graph.add("Cast", [name], { to: elementType.float32 });
  }

  #stored(name: string): string {
    const { shape, start, byteCount } = findHalfPrecision(this.#weights, name);
    // onnxruntime looks it up in the working directory of this moment.
    const content = { path: relative(process.cwd(), this.#weights.path), start, byteCount };
    return this.#graph.addTensor(name, { type: elementType.float16, shape, content });
  }
}

export function findHalfPrecision({ tensors }: BertWeights, name: string): StoredTensor {
  const tensor = tensors.get(name);
  if (tensor?.type !== "F16") throw new Error(`the model has no tensor ${name} in half precision`);
  return tensor;
}
