/** What onnxruntime needs from a model: its word pieces, its graph, and how texts go in and vectors come out. */
import type { EmbeddedText } from "../../../ports/embedder.js";
import type { JudgeTask } from "../minilm/judge-file.js";
import type { PieceWord } from "./word-pieces.js";

export interface OnnxModel {
  readonly tokenizerPath: string;
  /** A text is cut after this many word pieces, including start and end. */
  readonly tokenCountMax: number;
  /** The bytes of an ONNX model, or the path of its file. */
  readonly graph: Uint8Array | string;
  /** Texts share a run as long as they have no more word pieces than this together. */
  readonly sharedPieceCountMax: number;
  /** The graph's inputs for texts that share a run, to be embedded or, with a task, to be judged. */
  toInputs(texts: Texts, task?: JudgeTask): Readonly<Record<string, OnnxInput>>;
  /** The texts' vectors, of length 1. */
  toVectors(outputs: OnnxOutputs, texts: Texts): Float32Array[];
  /** The texts' vectors with those of their words, in models that have them. */
  toWords?(outputs: OnnxOutputs, texts: Texts, words: readonly (readonly PieceWord[])[]): EmbeddedText[];
}

/** The ids of each text's word pieces. */
export type Texts = readonly (readonly number[])[];

export interface OnnxInput {
  readonly data: BigInt64Array | Float32Array;
  readonly shape: readonly number[];
}

export type OnnxOutputs = Readonly<Record<string, { readonly data: Float32Array }>>;

/** Models that onnxruntime can run, by name. */
export type OnnxModelName = "minilm" | "gte-small";
