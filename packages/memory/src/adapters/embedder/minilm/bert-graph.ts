/**
 * A BERT encoder as an ONNX model: the vectors of word pieces in, the last state of each piece out. Several texts may
 * share a run: their pieces lie one below the other, and a piece pays attention only to those of its own text. The model
 * says where in their file the weights are, in half precision; onnxruntime maps them, widens them once when it loads the
 * model, and computes in single precision.
 */
import { relative } from "node:path";
import { type AdapterSide, type ReaderFile, type ReaderTask, type ScaledRows, readerTasks } from "./reader-file.js";
import { type ModelFiles, findHalfPrecision, layerName } from "./model-files.js";
import { type Attribute, type FilePart, OnnxGraph, type Value, elementType, runtimeDomain } from "./onnx-graph.js";

/** The vectors of the word pieces, one per row. */
export const inputName = "words";
/** Where in its text each piece stands, from 0. */
export const positionsName = "positions";
/** A row per text: 1 for its pieces, 0 for those of other texts. */
export const textsName = "texts";
/** For each rank of the adapters, whether it takes part: all 0 for the model as it is. */
export const adapterShareName = "adapter share";
export const outputName = "states";

/** So little attention that it is none. */
const noAttention = -1e9;

/** The adapters of all tasks lie one below the other; `rankCounts` says how many ranks each has. */
export function writeBertGraph(
  files: ModelFiles,
  judge: ReaderFile,
): { readonly bytes: Uint8Array; readonly rankCounts: ReadonlyMap<ReaderTask, number> } {
  const bert = new BertWriter(files, judge);
  let state = bert.embeddings();
  for (let layer = 0; layer < files.config.num_hidden_layers; layer++) state = bert.layer(state, layerName(layer));
  const [adapted = ""] = judge.layers;
  const rankCounts = readerTasks.map((task) => [task, judge.findRows(task, adapted, "reads").scales.length] as const);
  return { bytes: bert.finish(state), rankCounts: new Map(rankCounts) };
}

class BertWriter {
  readonly #graph = new OnnxGraph();
  readonly #files: ModelFiles;
  readonly #judge: ReaderFile;
  readonly #shared = new Map<string, string>();

  constructor(files: ModelFiles, judge: ReaderFile) {
    this.#files = files;
    this.#judge = judge;
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

  finish(state: string): Uint8Array {
    this.#graph.add("Identity", [state], {}, "", outputName);
    const shape = ["piece count", this.#files.config.hidden_size];
    const inputs: Value[] = [
      { name: inputName, type: elementType.float32, shape },
      { name: positionsName, type: elementType.int64, shape: ["piece count"] },
      { name: textsName, type: elementType.float32, shape: ["text count", "piece count"] },
      { name: adapterShareName, type: elementType.float32, shape: ["rank"] },
    ];
    return this.#graph.toBytes("bert", inputs, [{ name: outputName, type: elementType.float32, shape }]);
  }

  #attention(state: string, name: string): string {
    const graph = this.#graph;
    const { hidden_size: size, num_attention_heads: headCount } = this.#files.config;
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
      const shape = graph.addWholeNumbers("shape of heads", [1, this.#files.config.num_attention_heads, 1, 1]);
      return graph.add("Expand", [oneHead, shape]);
    });
  }

  /** The adapter's work is left out where no rank takes part: most texts are embedded, not judged. */
  #linear(state: string, name: string): string {
    const { weight, bias } = this.#parts(name);
    const dense = this.#graph.add("Gemm", [state, weight, bias], { transB: 1 });
    if (!this.#judge.layers.has(name)) return dense;
    const reads = this.#adapterRows(name, "reads");
    const writes = this.#adapterRows(name, "writes");
    const shape = ["piece count", findHalfPrecision(this.#files, `${name}.bias`).shape[0]!];
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

  #adapterRows(layer: string, side: AdapterSide): string {
    const parts = readerTasks.map((task) =>
      this.#scaled(`${task} ${side} ${layer}`, this.#judge.findRows(task, layer, side)),
    );
    return this.#graph.add("Concat", parts, { axis: 0 });
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
    return { epsilon: { float: this.#files.config.layer_norm_eps } };
  }

  #parts(name: string): { weight: string; bias: string } {
    return { weight: this.#weight(`${name}.weight`), bias: this.#weight(`${name}.bias`) };
  }

  #weight(name: string): string {
    return this.#widen(this.#stored(name));
  }

  #widen(name: string): string {
    return this.#graph.add("Cast", [name], { to: elementType.float32 });
  }

  #stored(name: string): string {
    const { shape, start, byteCount } = findHalfPrecision(this.#files, name);
    const content = fromHere({ path: this.#files.weightsPath, start, byteCount });
    return this.#graph.addTensor(name, { type: elementType.float16, shape, content });
  }
}

/** onnxruntime looks it up in the working directory of this moment. */
function fromHere({ path, ...part }: FilePart): FilePart {
  return { path: relative(process.cwd(), path), ...part };
}
