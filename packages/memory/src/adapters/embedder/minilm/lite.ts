/**
 * The fast embedder for small devices: onnxruntime in the caller's own process, one layer of the model at a time. Only
 * one layer's weights are in memory, 7 MB instead of 43; each layer's weights overwrite those before, read from the
 * file, which the system caches while there is room. Reading takes as long as embedding several questions, so texts go
 * through a layer together. It runs on the caller's thread, and other work gets its turn after every step.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { ModelError } from "../../../errors.js";
import type { EmbeddedText } from "../../../ports/embedder.js";
import {
  type BertGraph,
  type BertParts,
  type BertWeights,
  adapterShareName,
  findHalfPrecision,
  inputName,
  layerName,
  positionsName,
  stateName,
  textsName,
  writeBertParts,
} from "../onnx/bert-graph.js";
import type { AdaptedEmbedder } from "./adapted-embedder.js";
import { type JudgeAdapter, JudgeFile, type JudgeTask } from "./judge-file.js";
import { readMiniLm, toBertInputs } from "./model.js";
import { readWordProjection, toEmbeddedText, wordDimensions } from "./word-vectors.js";
import { bundledTitle, minilmIdentity } from "./portable.js";
import { meanDirection } from "../onnx/mean-direction.js";
import type { OnnxInput } from "../onnx/model.js";
import { type OnnxRuntime, createSession, loadRuntime, makeTensor, readWordPieces } from "../onnx/session.js";
import { readHalfPrecision } from "../onnx/safetensors.js";
import type { WordPieces } from "../onnx/word-pieces.js";

/**
 * Runs leave behind few but large objects: without an explicit request they would be collected much later. The function
 * comes from a context of our own, so that the caller's has no `gc`; where the platform has none, nothing is requested.
 */
function findCollector(): () => void {
  try {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
    setFlagsFromString("--no-expose-gc");
    return () => collect({ type: "minor" });
  } catch {
    return () => {};
  }
}

/** A question may have to wait for this many. */
const liteTextsPerCall = 4;

/** Runs one part of the model. */
type Step = (inputs: Readonly<Record<string, object>>) => Promise<Float32Array>;

export class LiteMiniLmEmbedder implements AdaptedEmbedder {
  readonly identity = minilmIdentity;
  readonly textsPerCall = liteTextsPerCall;
  readonly wordDimensions = wordDimensions;
  readonly #judgePath: string | undefined;
  #model: Promise<LayeredMiniLm> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** `judgePath`: of the judge's file, if it is not the bundled one. */
  constructor(judgePath?: string) {
    this.#judgePath = judgePath;
  }

  get runtime(): string {
    return "onnxruntime, layer by layer in the same process";
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#inTurn((loaded) => loaded.embed(texts));
  }

  embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return this.#inTurn((loaded) => loaded.embedWords(texts));
  }

  embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array[]> {
    return this.#inTurn((loaded) => loaded.embed(texts, task));
  }

  async close(): Promise<void> {
    this.#model = undefined;
    await this.#turn;
  }

  #inTurn<Result>(work: (loaded: LayeredMiniLm) => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(() => this.#run(work));
    this.#turn = result.catch(() => {});
    return result;
  }

  async #run<Result>(work: (loaded: LayeredMiniLm) => Promise<Result>): Promise<Result> {
    try {
      this.#model ??= LayeredMiniLm.load(this.#judgePath);
      return await work(await this.#model);
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new ModelError("embedder_failed", `${bundledTitle} failed: ${reason}`, { cause });
    }
  }
}

class LayeredMiniLm {
  readonly #runtime: OnnxRuntime;
  readonly #pieces: WordPieces;
  readonly #weights: BertWeights;
  readonly #layerCount: number;
  readonly #tokenCountMax: number;
  readonly #steps: Readonly<Record<"embeddings" | "layer" | "adaptedLayer", Step>>;
  readonly #judgeFile: JudgeFile;
  readonly #projection = readWordProjection();
  readonly #collectGarbage = findCollector();
  /** The weights of the current layer, by their names within it. */
  readonly #layer: ReadonlyMap<string, OnnxInput>;

  static async load(judgePath: string | undefined): Promise<LayeredMiniLm> {
    // Ending a thread while onnxruntime runs on it ends the whole process.
    if (!isMainThread) throw new Error("onnxruntime runs on the main thread only");
    const runtime = await loadRuntime();
    const { weights, config, tokenizerPath, tokenCountMax } = await readMiniLm();
    const judgeFile = new JudgeFile(judgePath);
    const parts = writeBertParts(weights, config);
    const adapted = writeBertParts(weights, config, judgeFile.readAdapter(`${layerName(0)}.`).changes);
    const steps = {
      embeddings: await createStep(runtime, parts.embeddings),
      layer: await createStep(runtime, parts.layer),
      adaptedLayer: await createStep(runtime, adapted.layer),
    };
    const pieces = await readWordPieces(tokenizerPath);
    const sizes = { layerCount: config.num_hidden_layers, tokenCountMax };
    return new LayeredMiniLm(runtime, pieces, weights, parts, steps, judgeFile, sizes);
  }

  private constructor(
    runtime: OnnxRuntime,
    pieces: WordPieces,
    weights: BertWeights,
    { weightNames }: BertParts,
    steps: Readonly<Record<"embeddings" | "layer" | "adaptedLayer", Step>>,
    judgeFile: JudgeFile,
    { layerCount, tokenCountMax }: { readonly layerCount: number; readonly tokenCountMax: number },
  ) {
    this.#runtime = runtime;
    this.#pieces = pieces;
    this.#weights = weights;
    this.#steps = steps;
    this.#judgeFile = judgeFile;
    this.#layerCount = layerCount;
    this.#tokenCountMax = tokenCountMax;
    this.#layer = new Map(
      weightNames.map((name) => [name, makePlace(findHalfPrecision(weights, layerName(0) + name))]),
    );
  }

  async embed(texts: readonly string[], task?: JudgeTask): Promise<Float32Array[]> {
    const states = await this.#runLayers(this.#split(texts), task);
    const vectors = states.map(toVector);
    this.#collectGarbage();
    return vectors;
  }

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    const pieces = this.#split(texts);
    const states = await this.#runLayers(pieces);
    const embedded = pieces.map((ids, i) =>
      toEmbeddedText(toVector(states[i]!), this.#pieces.wordsOf(ids), states[i]!, this.#projection),
    );
    this.#collectGarbage();
    return embedded;
  }

  #split(texts: readonly string[]): number[][] {
    return texts.map((text) => this.#pieces.encode(text, this.#tokenCountMax));
  }

  /** For each text a row per word piece. */
  async #runLayers(pieces: readonly (readonly number[])[], task?: JudgeTask): Promise<Float32Array[]> {
    const states: Float32Array[] = [];
    for (const ids of pieces) {
      const { [inputName]: words, [positionsName]: positions } = toBertInputs(this.#weights, [ids]);
      const inputs = { [inputName]: words, [positionsName]: positions };
      states.push(await this.#steps.embeddings(this.#toTensors(inputs)));
    }
    for (let layer = 0; layer < this.#layerCount; layer++) {
      await giveTurn();
      const weights = { ...this.#loadLayer(layer), ...(task === undefined ? {} : this.#loadAdapter(layer, task)) };
      const step = task === undefined ? this.#steps.layer : this.#steps.adaptedLayer;
      for (const [i, state] of states.entries()) {
        await giveTurn();
        states[i] = await step({ ...this.#toTensors(stateInputs(state)), ...weights });
      }
    }
    return states;
  }

  /** Overwrites the weights of the previous layer with those of this one. */
  #loadLayer(layer: number): Record<string, object> {
    const parts = [...this.#layer.keys()].map((name) => findHalfPrecision(this.#weights, layerName(layer) + name));
    const places = [...this.#layer.values()].map(({ data }) => data as Float32Array);
    readHalfPrecision(this.#weights.path, parts, places);
    const tensors = [...this.#layer].map(
      ([name, input]) => [layerName(0) + name, makeTensor(this.#runtime, input)] as const,
    );
    return Object.fromEntries(tensors);
  }

  #loadAdapter(layer: number, task: JudgeTask): Record<string, object> {
    const { changes, shareOf }: JudgeAdapter = this.#judgeFile.readAdapter(`${layerName(layer)}.`);
    const share = shareOf(task);
    const inputs: Record<string, OnnxInput> = { [adapterShareName]: { data: share, shape: [share.length] } };
    for (const [dense, { rank, reads, writes }] of changes) {
      const name = dense.replace(layerName(layer), layerName(0));
      inputs[`${name}.reads`] = { data: reads, shape: [rank, reads.length / rank] };
      inputs[`${name}.writes`] = { data: writes, shape: [rank, writes.length / rank] };
    }
    return this.#toTensors(inputs);
  }

  #toTensors(inputs: Readonly<Record<string, OnnxInput>>): Record<string, object> {
    return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, makeTensor(this.#runtime, input)]));
  }
}

function toVector(states: Float32Array): Float32Array {
  return meanDirection(states, minilmIdentity.dimensions);
}

/** Of a single text. */
function stateInputs(data: Float32Array): Record<string, OnnxInput> {
  const size = minilmIdentity.dimensions;
  const pieceCount = data.length / size;
  const all = new Float32Array(pieceCount).fill(1);
  return { [stateName]: { data, shape: [pieceCount, size] }, [textsName]: { data: all, shape: [1, pieceCount] } };
}

async function createStep(runtime: OnnxRuntime, { bytes, outputName }: BertGraph): Promise<Step> {
  const session = await createSession(runtime, bytes, 1);
  return async (inputs) => (await session.run(inputs))[outputName]!.data;
}

function makePlace({ shape }: { readonly shape: readonly number[] }): OnnxInput {
  return { data: new Float32Array(shape.reduce((product, size) => product * size, 1)), shape };
}

function giveTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
