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
  /** The graph's inputs for the word pieces of one text, to be embedded or, with a task, to be judged. */
  toInputs(pieces: BigInt64Array, task?: JudgeTask): Readonly<Record<string, OnnxInput>>;
  /** The text's vector, of length 1. */
  toVector(outputs: OnnxOutputs): Float32Array;
  /** The text's vector with those of its words, in models that have them. */
  toWords?(outputs: OnnxOutputs, words: readonly PieceWord[]): EmbeddedText;
}

export interface OnnxInput {
  readonly data: BigInt64Array | Float32Array;
  readonly shape: readonly number[];
}

export type OnnxOutputs = Readonly<Record<string, { readonly data: Float32Array }>>;

/** Models that onnxruntime can run, by name. */
export type OnnxModelName = "minilm" | "gte-small";
