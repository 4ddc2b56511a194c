/**
 * The bundled embedder: all-MiniLM-L6-v2, run the fast way where the platform can and the portable way everywhere else.
 * The first text triggers the choice. The fast way has to reproduce the vector of a known sentence; if it cannot, the
 * reason is kept and the portable way takes over. Both give the same vectors up to rounding, so a store filled by one
 * can be read by the other.
 */
import { resolve } from "node:path";
import { InputError, ModelError } from "../../../errors.js";
import type { EmbeddedText, EmbedderIdentity } from "../../../ports/embedder.js";
import { type BundledWay, EncoderProcess } from "./encoder-process.js";
import type { AdaptedEmbedder, ReaderTask } from "./reader-file.js";
import { wordDimensions } from "./word-vectors.js";

export type { BundledWay };

export interface BundledEmbedderOptions {
  /** Forces one way on any platform; if the fast way then does not work, that is an error. */
  readonly way?: BundledWay;
  /** A judge's file of your own, as `training` writes it. */
  readonly readerPath?: string;
  /** Called once when the portable way takes over. */
  readonly onFallback?: (reason: string) => void;
}

/** The fast way embeds so many together. */
const textsPerCall = 16;
/** Short texts together take half as long as one by one; a question waits for at most some 30 ms of them. */
const charactersPerCall = 512;

const referenceSentence = "At 7:30 Doña Inés — who's 81 — took 2 of the tablets; her knee's X-ray is on Tuesday.";
/** The first numbers of its vector. */
const referenceStart = [
  -0.076, 0.0184, -0.0009, -0.065, -0.0113, -0.0347, 0.075, 0.1608, 0.007, 0.0373, -0.0721, 0.0078,
];
/** A hundred times the effect of a different order of additions; one wrong word piece changes more. */
const deviationMax = 1e-3;

export class BundledEmbedder implements AdaptedEmbedder {
  readonly identity: EmbedderIdentity = { name: "minilm-l6-v2", dimensions: 384 };
  readonly wordDimensions = wordDimensions;
  readonly readerPath: string | undefined;
  readonly #options: BundledEmbedderOptions;
  #current: EncoderProcess | undefined;
  #choice: Promise<EncoderProcess> | undefined;
  #reason = "";

  constructor(options: BundledEmbedderOptions = {}) {
    const { way } = options;
    if (way !== undefined && way !== "fast" && way !== "portable") {
      throw new InputError("option_invalid", `embedder "${String(way)}" is unknown; use fast or portable`);
    }
    this.#options = options;
    this.readerPath = options.readerPath === undefined ? undefined : resolve(options.readerPath);
  }

  /** The portable way takes text by text. Before the first text it is not known how the model will run. */
  get textsPerCall(): number {
    return this.#current?.way === "fast" ? textsPerCall : 1;
  }

  get charactersPerCall(): number {
    return charactersPerCall;
  }

  /** What runs the model, and, if it is not the fast way, why. */
  get runtime(): string {
    if (this.#current === undefined) return "not started";
    return `${this.#current.way === "fast" ? "onnxruntime" : "JavaScript"}${this.#reason}`;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).ask(texts);
  }

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).ask(texts, { withWords: true });
  }

  async embedAdapted(texts: readonly string[], task: ReaderTask): Promise<Float32Array[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).ask(texts, { task });
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#choice = undefined;
    await current?.close();
  }

  #chosen(): Promise<EncoderProcess> {
    this.#choice ??= this.#choose();
    return this.#choice;
  }

  async #choose(): Promise<EncoderProcess> {
    const { way, onFallback } = this.#options;
    if (way === "portable") return this.#use("portable", " as asked for");
    const fast = this.#use("fast", "");
    try {
      await checkReference(fast);
      return fast;
    } catch (error) {
      // Closed in the meantime, which is no reason to start the other way.
      if (this.#current !== fast) throw error;
      if (way === "fast") {
        await this.close();
        throw error;
      }
      await fast.close();
      const reason = (error as Error).message;
      onFallback?.(reason);
      return this.#use("portable", `, since the fast way does not work here: ${reason}`);
    }
  }

  #use(way: BundledWay, reason: string): EncoderProcess {
    this.#reason = reason;
    return (this.#current = new EncoderProcess(way, this.readerPath));
  }
}

async function checkReference(model: EncoderProcess): Promise<void> {
  const [vector] = await model.ask<Float32Array>([referenceSentence]);
  const deviation = Math.max(...referenceStart.map((value, i) => Math.abs(value - (vector?.[i] ?? NaN))));
  if (deviation <= deviationMax) return;
  throw new ModelError("embedder_failed", `its vector of a known sentence is off by ${deviation.toPrecision(2)}`);
}
