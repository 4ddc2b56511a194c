/**
 * A BERT encoder as an ONNX model: the word pieces of one text in, its vector out. Mean over the pieces, length 1. One text
 * per run, so there is no padding and no mask, and a text's vector does not depend on what else is embedded with it.
 * Weights go in as they are stored, in half precision; onnxruntime widens and turns them once, when it loads the model,
 * and computes in single precision.
 */
import { type Attribute, OnnxGraph, type Tensor, elementType, runtimeDomain } from "./onnx-graph.js";
import type { StoredTensor } from "./safetensors.js";

/** What of a model's `config.json` is read. */
export interface BertConfig {
  readonly hidden_size: number;
  readonly num_attention_heads: number;
  readonly num_hidden_layers: number;
  readonly layer_norm_eps: number;
}

export const inputName = "pieces";

export interface BertGraph {
  readonly bytes: Uint8Array;
  readonly outputName: string;
}

export function writeBertGraph(weights: ReadonlyMap<string, StoredTensor>, config: BertConfig): BertGraph {
  const bert = new BertWriter(weights, config);
  let state = bert.embeddings();
  for (let layer = 0; layer < config.num_hidden_layers; layer++) state = bert.layer(state, `encoder.layer.${layer}`);
  return bert.finish(state);
}

class BertWriter {
  readonly #graph = new OnnxGraph();
  readonly #weights: ReadonlyMap<string, StoredTensor>;
  readonly #config: BertConfig;

  constructor(weights: ReadonlyMap<string, StoredTensor>, config: BertConfig) {
    this.#weights = weights;
    this.#config = config;
  }

  /** Of each piece: what it is, where it stands, and that it belongs to the first of two texts, which is all there is. */
  embeddings(): string {
    const graph = this.#graph;
    const zero = graph.addWholeNumbers("zero", [0]);
    const one = graph.addWholeNumbers("one", [1]);
    const words = this.#widen(graph.add("Gather", [this.#stored("embeddings.word_embeddings.weight"), inputName]));
    const firstRows = (name: string, count: string): string =>
      this.#widen(graph.add("Slice", [this.#stored(`embeddings.${name}_embeddings.weight`), zero, count]));
    const positions = firstRows("position", graph.add("Shape", [inputName]));
    const sum = graph.add("Add", [graph.add("Add", [words, firstRows("token_type", one)]), positions]);
    const { weight, bias } = this.#parts("embeddings.LayerNorm");
    return graph.add("LayerNormalization", [sum, weight, bias], { axis: -1, ...this.#epsilon() });
  }

  layer(state: string, name: string): string {
    const attended = this.#linear(this.#attention(state, `${name}.attention.self`), `${name}.attention.output.dense`);
    const middle = this.#addAndNormalize(state, attended, `${name}.attention.output.LayerNorm`);
    const wide = this.#addOwn("Gelu", [this.#linear(middle, `${name}.intermediate.dense`)]);
    return this.#addAndNormalize(middle, this.#linear(wide, `${name}.output.dense`), `${name}.output.LayerNorm`);
  }

  finish(state: string): BertGraph {
    const { hidden_size: size } = this.#config;
    const mean = this.#graph.add("ReduceMean", [state], { axes: [0], keepdims: 1 });
    const outputName = this.#graph.add("LpNormalization", [mean], { axis: -1, p: 2 });
    const input = { name: inputName, type: elementType.int64, shape: ["piece count"] };
    const output = { name: outputName, type: elementType.float32, shape: [1, size] };
    return { bytes: this.#graph.toBytes("bert", [input], [output]), outputName };
  }

  #attention(state: string, name: string): string {
    const graph = this.#graph;
    const { hidden_size: size, num_attention_heads: headCount } = this.#config;
    const parts = ["query", "key", "value"].map((part) => this.#parts(`${name}.${part}`));
    const turned = parts.map(({ weight }) => graph.add("Transpose", [weight], { perm: [1, 0] }));
    const weight = graph.add("Concat", turned, { axis: 1 });
    const bias = graph.add(
      "Concat",
      parts.map((part) => part.bias),
      { axis: 0 },
    );
    const oneText = graph.addWholeNumbers("shape of one text", [1, -1, size]);
    const rows = graph.addWholeNumbers("shape of its rows", [-1, size]);
    const attended = this.#addOwn("Attention", [graph.add("Reshape", [state, oneText]), weight, bias], {
      num_heads: headCount,
    });
    return graph.add("Reshape", [attended, rows]);
  }

  #linear(state: string, name: string): string {
    const { weight, bias } = this.#parts(name);
    return this.#graph.add("Gemm", [state, weight, bias], { transB: 1 });
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
    return { weight: this.#widen(this.#stored(`${name}.weight`)), bias: this.#widen(this.#stored(`${name}.bias`)) };
  }

  #widen(name: string): string {
    return this.#graph.add("Cast", [name], { to: elementType.float32 });
  }

  #stored(name: string): string {
    return this.#graph.addTensor(name, halfPrecision(name, this.#weights.get(name)));
  }
}

function halfPrecision(name: string, tensor: StoredTensor | undefined): Tensor {
  if (tensor?.type !== "F16") throw new Error(`the model has no tensor ${name} in half precision`);
  return { type: elementType.float16, shape: tensor.shape, bytes: tensor.bytes };
}
