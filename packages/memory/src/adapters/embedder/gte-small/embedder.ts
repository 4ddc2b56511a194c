/**
 * The quality option: gte-small, a model with twice the layers of the bundled one and better vectors. Its files are in
 * a 225 MB package that is not installed by default, and onnxruntime runs it. It has its own name: a store filled by
 * another embedder has to be embedded again.
 */
import type { Embedder, EmbedderIdentity } from "../../../ports/embedder.js";
import { findGteSmallFolder } from "./package.js";
import { readGteSmallReference } from "./reference.js";
import { OnnxEmbedder } from "../onnx/embedder.js";
import { checkReference } from "../onnx/reference-vector.js";

/** The vectors are those of the model minus a centre; another centre needs another name. */
const identity: EmbedderIdentity = { name: "gte-small-centred", dimensions: 384 };

export class GteSmallEmbedder implements Embedder {
  readonly identity = identity;
  readonly textsPerCall = 1;
  readonly #embedder = new OnnxEmbedder({
    model: "gte-small",
    identity,
    textsPerCall: 1,
    title: 'embedder "gte-small"',
  });
  #check: Promise<void> | undefined;

  /** Throws if a package that it needs is not installed. */
  constructor() {
    findGteSmallFolder();
  }

  get runtime(): string {
    return this.#embedder.runtime;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length === 0) return [];
    this.#check ??= this.#checkOnce();
    await this.#check;
    return this.#embedder.embed(texts);
  }

  async close(): Promise<void> {
    this.#check = undefined;
    await this.#embedder.close();
  }

  /** A failure is not cached: the next text tries again. */
  async #checkOnce(): Promise<void> {
    try {
      await checkReference(this.#embedder, readGteSmallReference());
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
