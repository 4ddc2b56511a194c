/** From texts to vectors, whichever way the model runs: word pieces in, the last state of each piece out. */
import type { EmbeddedText } from "../../../ports/embedder.js";
import type { ReaderTask } from "./reader-file.js";
import { type ModelFiles, readModelFiles, readModelJson } from "./model-files.js";
import { WordPieces } from "./word-pieces.js";
import { readWordProjection, toWords } from "./word-vectors.js";

/** The ids of each text's word pieces. */
export type Texts = readonly (readonly number[])[];

/** One way of running the model. */
export interface Encoder {
  /** For each text, a row per word piece; with a task, that task's adapter is switched on. */
  encode(texts: Texts, task?: ReaderTask): Promise<Float32Array[]>;
}

export class TextEmbedder {
  readonly #encoder: Encoder;
  readonly #pieces: WordPieces;
  readonly #tokenCountMax: number;
  #projection: Float32Array | undefined;

  static async load(
    loadEncoder: (files: ModelFiles, readerPath?: string) => Promise<Encoder>,
    readerPath?: string,
  ): Promise<TextEmbedder> {
    const files = await readModelFiles();
    const tokenizer = (await readModelJson(files.tokenizerPath)) as ConstructorParameters<typeof WordPieces>[0];
    return new TextEmbedder(await loadEncoder(files, readerPath), new WordPieces(tokenizer), files.tokenCountMax);
  }

  private constructor(encoder: Encoder, pieces: WordPieces, tokenCountMax: number) {
    this.#encoder = encoder;
    this.#pieces = pieces;
    this.#tokenCountMax = tokenCountMax;
  }

  /** One vector of unit length per text; with a task, the vector that the task's head reads. */
  async embed(texts: readonly string[], task?: ReaderTask): Promise<Float32Array[]> {
    const ids = this.#split(texts);
    const states = await this.#encoder.encode(ids, task);
    return states.map((rows, i) => meanDirection(rows, rows.length / ids[i]!.length));
  }

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    const projection = (this.#projection ??= readWordProjection());
    const ids = this.#split(texts);
    const states = await this.#encoder.encode(ids);
    return states.map((rows, i) => ({
      vector: meanDirection(rows, rows.length / ids[i]!.length),
      ...toWords(this.#pieces.wordsOf(ids[i]!), rows, projection),
    }));
  }

  #split(texts: readonly string[]): Texts {
    return texts.map((text) => this.#pieces.encode(text, this.#tokenCountMax));
  }
}

/** The direction of the rows' mean, computed outside the model so that it does not depend on the texts that shared a run. */
function meanDirection(rows: Float32Array, dimensions: number): Float32Array {
  const sum = new Float64Array(dimensions);
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i++) sum[i]! += rows[start + i]!;
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / length);
}
