/**
 * The bundled embedder: all-MiniLM-L6-v2, run the fast way where the platform can and the portable way everywhere else.
 * The first text triggers the choice. The fast way has to reproduce the vector of a known sentence; if it cannot, the
 * reason is kept and the portable way takes over. Both give the same vectors up to rounding, so a store filled by one
 * can be read by the other.
 */
import { resolve } from "node:path";
import { InputError } from "../../../errors.js";
import type { EmbeddedText, Embedder } from "../../../ports/embedder.js";
import type { AdaptedEmbedder } from "./adapted-embedder.js";
import type { JudgeTask } from "./judge-file.js";
import { LiteMiniLmEmbedder } from "./lite.js";
import { readMiniLmReference } from "./reference.js";
import { MiniLmEmbedder, bundledTitle, minilmIdentity } from "./portable.js";
import { wordDimensions } from "./word-vectors.js";
import { OnnxEmbedder } from "../onnx/embedder.js";
import { checkReference } from "../onnx/reference-vector.js";

/** The fast way embeds so many together. */
const textsPerCall = 16;

export type BundledWay = "fast" | "portable";

export interface BundledEmbedderOptions {
  /** Forces one way on any platform; if the fast way then does not work, that is an error. */
  readonly way?: BundledWay;
  /** The fast way with as little memory as possible: in the caller's own process and on its thread. */
  readonly isLite?: boolean;
  /** A judge's file of your own, as `training` writes it. */
  readonly judgePath?: string;
  /** Called once when the portable way takes over. */
  readonly onFallback?: (reason: string) => void;
}

/** One way of running the model. */
type RunningModel = AdaptedEmbedder & Required<Pick<Embedder, "embedWords">>;

export class BundledEmbedder implements AdaptedEmbedder {
  readonly identity = minilmIdentity;
  readonly wordDimensions = wordDimensions;
  readonly judgePath: string | undefined;
  readonly #options: BundledEmbedderOptions;
  #current: RunningModel | undefined;
  #choice: Promise<RunningModel> | undefined;
  #reason = "";

  constructor(options: BundledEmbedderOptions = {}) {
    const { way } = options;
    if (way !== undefined && way !== "fast" && way !== "portable") {
      throw new InputError("option_invalid", `embedder "${String(way)}" is unknown; use fast or portable`);
    }
    this.#options = options;
    this.judgePath = options.judgePath === undefined ? undefined : resolve(options.judgePath);
  }

  /** Before the first text it is not known how the model will run. */
  get textsPerCall(): number {
    return this.#current?.textsPerCall ?? 1;
  }

  get charactersPerCall(): number {
    return this.#current?.charactersPerCall ?? Infinity;
  }

  /** What runs the model, and, if it is not the fast way, why. */
  get runtime(): string {
    return this.#current === undefined ? "not started" : `${this.#current.runtime}${this.#reason}`;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).embed(texts);
  }

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).embedWords(texts);
  }

  async embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).embedAdapted(texts, task);
  }

  #chosen(): Promise<RunningModel> {
    this.#choice ??= this.#choose();
    return this.#choice;
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#choice = undefined;
    await current?.close();
  }

  async #choose(): Promise<RunningModel> {
    if (this.#options.way === "portable") return this.#use(new MiniLmEmbedder(this.judgePath), " as asked for");
    const fast = this.#use(this.#createFast(), "");
    try {
      await checkReference(fast, readMiniLmReference());
      return fast;
    } catch (error) {
      // Closed in the meantime, which is no reason to start the other way.
      if (this.#current !== fast) throw error;
      if (this.#options.way === "fast") {
        await this.close();
        throw error;
      }
      await fast.close();
      return this.#fallBack((error as Error).message);
    }
  }

  #createFast(): RunningModel {
    if (this.#options.isLite === true) return new LiteMiniLmEmbedder(this.judgePath);
    const { judgePath } = this;
    return new OnnxEmbedder({
      model: "minilm",
      identity: minilmIdentity,
      textsPerCall,
      title: bundledTitle,
      judgePath,
    });
  }

  #fallBack(reason: string): RunningModel {
    this.#options.onFallback?.(reason);
    const lite = this.#options.isLite === true ? "; lite has no effect" : "";
    return this.#use(new MiniLmEmbedder(this.judgePath), `, since the fast way does not work here: ${reason}${lite}`);
  }

  #use(embedder: RunningModel, reason: string): RunningModel {
    this.#current = embedder;
    this.#reason = reason;
    return embedder;
  }
}
