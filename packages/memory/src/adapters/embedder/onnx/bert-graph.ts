/**
 * A BERT encoder as an ONNX model: the vectors of word pieces in, the last state of each piece out and, if asked for, a
 * projection of it. Several texts may share a run: their pieces lie one below the other, and a piece pays attention only
 * to those of its own text. The model says where in their file the weights are, in half precision; onnxruntime
 * maps them, widens them once when it loads the model, and computes in single precision. Half of all weights are the
 * vectors of word pieces, of which a text needs a few dozen, so they stay out of the model.
 */
import { relative } from "node:path";
import { type Attribute, type FilePart, OnnxGraph, type Value, elementType, runtimeDomain } from "./graph.js";
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

/** Where in its text each piece stands, from 0. */
export const positionsName = "positions";

/** A row per text: 1 for its pieces, 0 for those of other texts. */
export const textsName = "texts";

/** What passes from part to part: a row per word piece. */
export const stateName = "state";

/** So little attention that it is none. */
const noAttention = -1e9;

/** For each rank of the adapter, whether it takes part: all 0 for the model as it is. */
export const adapterShareName = "adapter share";

/** Low-rank changes to dense layers, by the layer's name: rank by rank, a row that reads and a row that writes. */
export type BertAdapter<Rows = Float32Array> = ReadonlyMap<string, LowRankChange<Rows>>;

export interface LowRankChange<Rows = Float32Array> {
  readonly rank: number;
  readonly reads: Rows;
  readonly writes: Rows;
}

/** Rows that stay in their file as whole numbers of one byte, each row to be multiplied by its scale. */
export interface ScaledRows {
  readonly content: FilePart;
  readonly scales: Float32Array;
}

/** Rows as numbers, or parts that lie one below the other. */
type AdapterRows = Float32Array | readonly ScaledRows[];

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
  adapter?: BertAdapter<AdapterRows>,
  projection?: Float32Array,
): BertGraph {
  const bert = new BertWriter(weights, config, "stored", adapter);
  let state = bert.embeddings();
  for (let layer = 0; layer < config.num_hidden_layers; layer++) state = bert.layer(state, layerName(layer));
  const projected = projection === undefined ? undefined : bert.project(state, projection);
  return bert.finish([inputName, positionsName, textsName], state, projected);
}

/** The numbers of the adapter are inputs, as all weights of the layer. */
export function writeBertParts(weights: BertWeights, config: BertConfig, adapter?: BertAdapter): BertParts {
  const first = new BertWriter(weights, config, "stored");
  const middle = new BertWriter(weights, config, "inputs", adapter);
  return {
    embeddings: first.finish([inputName, positionsName], first.embeddings()),
    layer: middle.finish([stateName, textsName], middle.layer(stateName, layerName(0))),
    weightNames: middle.weightNames.map((name) => name.slice(layerName(0).length)),
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
  readonly #adapter: BertAdapter<AdapterRows> | undefined;
  readonly #inputs: Value[] = [];
  readonly #shared = new Map<string, string>();

  constructor(weights: BertWeights, config: BertConfig, kind: "stored" | "inputs", adapter?: BertAdapter<AdapterRows>) {
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
    const rows = (name: string, which: string): string =>
      this.#widen(graph.add("Gather", [this.#stored(`embeddings.${name}_embeddings.weight`), which]));
    const words = graph.add("Add", [inputName, rows("token_type", zero)]);
    const sum = graph.add("Add", [words, rows("position", positionsName)]);
    const { weight, bias } = this.#parts("embeddings.LayerNorm");
    return graph.add("LayerNormalization", [sum, weight, bias], { axis: -1, ...this.#epsilon() });
  }

  layer(state: string, name: string): string {
    const attended = this.#linear(this.#attention(state, `${name}.attention.self`), `${name}.attention.output.dense`);
    const middle = this.#addAndNormalize(state, attended, `${name}.attention.output.LayerNorm`);
    const wide = this.#addOwn("Gelu", [this.#linear(middle, `${name}.intermediate.dense`)]);
    return this.#addAndNormalize(middle, this.#linear(wide, `${name}.output.dense`), `${name}.output.LayerNorm`);
  }

  project(state: string, projection: Float32Array): string {
    const rows = this.#rows("projection", projection, projection.length / this.#config.hidden_size);
    return this.#graph.add("Gemm", [state, rows], { transB: 1 });
  }

  finish(inputNames: readonly string[], outputName: string, projectedName?: string): BertGraph {
    const shape = ["piece count", this.#config.hidden_size];
    const known: Readonly<Record<string, Value>> = {
      [inputName]: { name: inputName, type: elementType.float32, shape },
      [stateName]: { name: stateName, type: elementType.float32, shape },
      [positionsName]: { name: positionsName, type: elementType.int64, shape: ["piece count"] },
      [textsName]: { name: textsName, type: elementType.float32, shape: ["text count", "piece count"] },
    };
    const share = { name: adapterShareName, type: elementType.float32, shape: ["rank"] };
    const inputs = [
      ...inputNames.map((name) => known[name]!),
      ...(this.#adapter === undefined ? [] : [share]),
      ...this.#inputs,
    ];
    const outputs = [
      { name: outputName, type: elementType.float32, shape },
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
    const attended = this.#addOwn("MultiHeadAttention", [...inputs, "", "", this.#apart()], { num_heads: headCount });
    return graph.add("Reshape", [attended, rows]);
  }

  /** For each head and pair of pieces: nothing, or for pieces of two texts what keeps them apart. */
  #apart(): string {
    return this.#once("apart", () => {
      const graph = this.#graph;
      const zero = this.#number("zero", 0);
      const isTogether = graph.add("Greater", [graph.add("Gemm", [textsName, textsName], { transA: 1 }), zero]);
      const pairs = graph.add("Where", [isTogether, zero, this.#number("no attention", noAttention)]);
      const oneHead = graph.add("Unsqueeze", [pairs, graph.addWholeNumbers("axes before pairs", [0, 1])]);
      const shape = graph.addWholeNumbers("shape of heads", [1, this.#config.num_attention_heads, 1, 1]);
      return graph.add("Expand", [oneHead, shape]);
    });
  }

  /** The adapter's work is left out where no rank takes part: most texts are embedded, not judged. */
  #linear(state: string, name: string): string {
    const { weight, bias } = this.#parts(name);
    const dense = this.#graph.add("Gemm", [state, weight, bias], { transB: 1 });
    const change = this.#adapter?.get(name);
    if (change === undefined) return dense;
    const reads = this.#rows(`${name}.reads`, change.reads, change.rank);
    const writes = this.#rows(`${name}.writes`, change.writes, change.rank);
    const shape = ["piece count", findHalfPrecision(this.#weights, `${name}.bias`).shape[0]!];
    const value = (result: string): Value => ({ name: result, type: elementType.float32, shape });
    const changing = new OnnxGraph(`${name} changed: `);
    const low = changing.add("Gemm", [state, reads], { transB: 1 });
    const changed = changing.add("Gemm", [changing.add("Mul", [low, adapterShareName]), writes, dense]);
    const keeping = new OnnxGraph(`${name} as it is: `);
    const same = keeping.add("Identity", [dense]);
    return this.#graph.add("If", [this.#isAdapted()], {
      then_branch: { graph: changing, results: [value(changed)] },
      else_branch: { graph: keeping, results: [value(same)] },
    });
  }

  #isAdapted(): string {
    return this.#once("adapted", () => {
      const largest = this.#graph.add("ReduceMax", [adapterShareName], { keepdims: 0 });
      return this.#graph.add("Greater", [largest, this.#number("zero", 0)]);
    });
  }

  /** Results that all layers read are computed once. */
  #once(what: string, add: () => string): string {
    let name = this.#shared.get(what);
    if (name === undefined) this.#shared.set(what, (name = add()));
    return name;
  }

  #number(name: string, number: number): string {
    return this.#floats(`number ${name}`, [], Float32Array.of(number));
  }

  #rows(name: string, numbers: AdapterRows, rank: number): string {
    if (!(numbers instanceof Float32Array)) {
      const parts = numbers.map((part, i) => this.#scaled(`${name} ${i}`, part));
      return this.#graph.add("Concat", parts, { axis: 0 });
    }
    const shape = [rank, numbers.length / rank];
    if (this.#kind === "stored") return this.#floats(name, shape, numbers);
    this.#inputs.push({ name, type: elementType.float32, shape });
    return name;
  }

  #floats(name: string, shape: readonly number[], numbers: Float32Array): string {
    const content = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    return this.#graph.addTensor(name, { type: elementType.float32, shape, content });
  }

  /** onnxruntime multiplies once, when it loads the model. */
  #scaled(name: string, { content, scales }: ScaledRows): string {
    const shape = [scales.length, content.byteCount / scales.length];
    const whole = this.#graph.addTensor(name, { type: elementType.int8, shape, content: fromHere(content) });
    const scale = this.#floats(`${name} scales`, [scales.length, 1], scales);
    return this.#graph.add("Mul", [this.#widen(whole), scale]);
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
    const content = fromHere({ path: this.#weights.path, start, byteCount });
    return this.#graph.addTensor(name, { type: elementType.float16, shape, content });
  }
}

/** onnxruntime looks it up in the working directory of this moment. */
function fromHere({ path, ...part }: FilePart): FilePart {
  return { path: relative(process.cwd(), path), ...part };
}

export function findHalfPrecision({ tensors }: BertWeights, name: string): StoredTensor {
  const tensor = tensors.get(name);
  if (tensor?.type !== "F16") throw new Error(`the model has no tensor ${name} in half precision`);
  return tensor;
}
