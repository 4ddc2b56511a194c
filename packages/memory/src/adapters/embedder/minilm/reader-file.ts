/**
 * The reader's file: for every task an adapter of the bundled model, one byte per number with a scale for every rank, and
 * a head, a linear function of the adapted vector. The format is that of the model's own weights; `training` writes it.
 */
import { fileURLToPath } from "node:url";
import { packageFile } from "../../../files/package-files.js";
import type { Embedder } from "../../../ports/embedder.js";
import type { FilePart } from "./onnx-graph.js";
import { type StoredTensor, readSafetensorsTable, readTensor } from "./safetensors.js";

export const readerTasks = ["reading", "relation", "relevance"] as const;
export type ReaderTask = (typeof readerTasks)[number];

/** The bundled model, which can embed a text and, with one of the reader's adapters switched on, read it. */
export interface AdaptedEmbedder extends Embedder {
  /** Of the reader's file, if it is not the bundled one. */
  readonly readerPath?: string | undefined;
  /** One vector of unit length per text, from which the head of the task reads its verdict. */
  embedAdapted(texts: readonly string[], task: ReaderTask): Promise<Float32Array[]>;
}

/** One row of weights and a bias per output. */
export interface ReaderHead {
  readonly weights: readonly Float32Array[];
  readonly biases: Float32Array;
}

/** An adapter changes a dense layer by its ranks: each reads a number from the layer's input and writes it to its output. */
export type AdapterSide = "reads" | "writes";

/** Rows of whole numbers from -127 to 127, one per rank, in their file; each row is to be multiplied by its scale. */
export interface ScaledRows {
  readonly content: FilePart;
  readonly scales: Float32Array;
}

const sideSuffix: Readonly<Record<AdapterSide, string>> = { reads: "a", writes: "b" };

export class ReaderFile {
  /** The dense layers that the adapters change. */
  readonly layers: ReadonlySet<string>;
  readonly #tensors: ReadonlyMap<string, StoredTensor>;
  readonly #path: string;

  constructor(path = fileURLToPath(packageFile("models/reader.safetensors"))) {
    this.#path = path;
    this.#tensors = readSafetensorsTable(path);
    const names = [...this.#tensors.keys()].map((name) => /^reading\.(.*)\.a$/u.exec(name)?.[1]);
    this.layers = new Set(names.filter((name) => name !== undefined));
  }

  readHead(task: ReaderTask): ReaderHead {
    const weights = this.#readFloats(`${task}.weight`);
    const biases = this.#readFloats(`${task}.bias`);
    const size = weights.length / biases.length;
    return { weights: Array.from(biases, (_, i) => weights.subarray(i * size, (i + 1) * size)), biases };
  }

  findRows(task: ReaderTask, layer: string, side: AdapterSide): ScaledRows {
    const name = `${task}.${layer}.${sideSuffix[side]}`;
    const { start, byteCount } = this.#find(name);
    return { content: { path: this.#path, start, byteCount }, scales: this.#readFloats(`${name}.scale`) };
  }

  /** The same with the scales multiplied in. */
  readRows(task: ReaderTask, layer: string, side: AdapterSide): Float32Array {
    const { scales } = this.findRows(task, layer, side);
    const whole = new Int8Array(readTensor(this.#path, this.#find(`${task}.${layer}.${sideSuffix[side]}`)));
    const size = whole.length / scales.length;
    return Float32Array.from(whole, (number, i) => number * scales[Math.floor(i / size)]!);
  }

  #readFloats(name: string): Float32Array {
    return new Float32Array(readTensor(this.#path, this.#find(name)));
  }

  #find(name: string): StoredTensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw new Error(`${this.#path} has no tensor ${name}`);
    return tensor;
  }
}
