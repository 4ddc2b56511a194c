/**
 * An embedder whose model `onnxruntime-node` runs in the caller's own process and on its thread: a process less, and its
 * memory less. While a text is embedded nothing else runs; between two texts everything else gets its turn.
 */
import { isMainThread } from "node:worker_threads";
import { ModelError } from "../../errors.js";
import type { Embedder, EmbedderIdentity } from "../../ports/embedder.js";
import type { OnnxEmbedderOptions } from "./onnx-embedder.js";
import type { OnnxModelName } from "./onnx-model.js";
import { type EmbedText, loadOnnx } from "./onnx-session.js";

export class OnnxInlineEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly textsPerCall = 1;
  readonly #model: OnnxModelName;
  readonly #title: string;
  #embedText: Promise<EmbedText> | undefined;

  constructor({ model, identity, title }: OnnxEmbedderOptions) {
    this.#model = model;
    this.#title = title;
    this.identity = identity;
  }

  get runtime(): string {
    return "onnxruntime in the same process";
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      const embedText = await (this.#embedText ??= load(this.#model));
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        await new Promise((resolve) => setImmediate(resolve));
        vectors.push(await embedText(text));
      }
      return vectors;
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new ModelError("embedder_failed", `${this.#title} failed: ${reason}`, { cause });
    }
  }

  async close(): Promise<void> {
    this.#embedText = undefined;
  }
}

async function load(model: OnnxModelName): Promise<EmbedText> {
  // A thread that is ended while onnxruntime runs on it takes the whole process with it.
  if (!isMainThread) throw new Error("onnxruntime runs on the main thread only");
  return loadOnnx(model);
}
