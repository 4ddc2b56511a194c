/**
 * The bundled encoder as an embedder: on native code where the platform can, as WebAssembly elsewhere. The first text
 * triggers the choice. The native way has to reproduce the vector of a known sentence; if it cannot, the reason is kept and
 * the other takes over. Both give the same vectors up to rounding, so a store filled by one can be read by the other.
 */
import { dirname, resolve } from "node:path";
import { InputError, ModelError } from "../../errors.js";
import { resolveFromPackage } from "../../files/package-files.js";
import type { EmbeddedStatement, EmbeddedText, Embedder, EmbedderIdentity, TalkWindow } from "../../ports/embedder.js";
import { EncoderProcess, type EncoderWay } from "./encoder-process.js";
import type { TextPair } from "./encoder.js";
import { tokenDimensions } from "./words.js";

export interface BundledEmbedderOptions {
  /** Forces one way on any platform; if the native way then does not work, that is an error. */
  readonly way?: EncoderWay;
  /** A folder with an encoder of your own, as `training` writes it. */
  readonly folder?: string;
  /** Called once when WebAssembly takes over. */
  readonly onFallback?: (reason: string) => void;
}

/** A question waits for at most some 30 ms of other texts. */
const textsPerCall = 16;
const charactersPerCall = 512;

const referenceSentence = "At 7:30 Doña Inés — who's 81 — took 2 of the tablets; her knee's X-ray is on Tuesday.";
/** The first numbers of its vector. */
const referenceStart = [
  -0.0479, 0.0068, -0.0064, -0.087, -0.0161, 0.0865, 0.0038, 0.0714, -0.0986, -0.0011, 0.0045, 0.0431,
];
/** The effect of rounding on other processors; one wrong word piece changes more. */
const deviationMax = 0.02;

export class BundledEmbedder implements Embedder {
  readonly identity: EmbedderIdentity = { name: "mnemosyne-encoder-1", dimensions: 384 };
  readonly wordDimensions = tokenDimensions;
  readonly textsPerCall = textsPerCall;
  readonly charactersPerCall = charactersPerCall;
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
  }

  /** What runs the model, and, if it is not the native way, why. */
  get runtime(): string {
    if (this.#current === undefined) return "not started";
    return `${this.#current.way === "fast" ? "onnxruntime" : "WebAssembly"}${this.#reason}`;
  }

  /** The name of an encoder that is not the bundled one. */
  get folder(): string | undefined {
    return this.#options.folder;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.embedWords(texts)).map(({ vector }) => vector);
  }

  async embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    return texts.length === 0 ? [] : (await this.#chosen()).ask({ texts });
  }

  async embedTalk(windows: readonly TalkWindow[]): Promise<EmbeddedStatement[][]> {
    return windows.length === 0 ? [] : (await this.#chosen()).ask({ windows });
  }

  /** What the heads of pairs say of each. */
  async relatePairs(pairs: readonly TextPair[]): Promise<Float32Array[]> {
    return pairs.length === 0 ? [] : (await this.#chosen()).ask({ pairs });
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
      if (this.#options.folder === undefined) await checkReference(fast);
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
      return this.#use("portable", `, since native code does not work here: ${reason}`);
    }
  }

  #use(way: EncoderWay, reason: string): EncoderProcess {
    this.#reason = reason;
    const folder = this.#options.folder ?? dirname(resolveFromPackage("mnemosyne-edge-encoder/package.json"));
    return (this.#current = new EncoderProcess(way, resolve(folder)));
  }
}

async function checkReference(model: EncoderProcess): Promise<void> {
  const [embedded] = await model.ask<EmbeddedText>({ texts: [referenceSentence] });
  const deviation = Math.max(...referenceStart.map((value, i) => Math.abs(value - (embedded?.vector[i] ?? NaN))));
  if (deviation <= deviationMax) return;
  throw new ModelError("embedder_failed", `its vector of a known sentence is off by ${deviation.toPrecision(2)}`);
}
