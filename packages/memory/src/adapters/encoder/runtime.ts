/**
 * The encoder's graph on onnxruntime: `onnxruntime-node`, an optional package with native code, or `onnxruntime-web` as
 * WebAssembly. The same file and the same inputs in both. A text has a run of its own, because the scale of its numbers in
 * 8 bits must not depend on others.
 */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { ModelError } from "../../errors.js";
import type { EncoderWay } from "./encoder-process.js";

/** Word pieces of a text, and for each statement in it the places of its pieces. */
export interface EncoderInput {
  readonly pieces: readonly number[];
  readonly statements: readonly (readonly number[])[];
}

/** One row after another. */
export interface EncoderOutput {
  /** A unit vector for each statement. */
  readonly vectors: Float32Array;
  /** What the heads of reading say of each statement. */
  readonly readings: Float32Array;
  /** What the heads of pairs say of the whole text. */
  readonly relation: Float32Array;
  /** A unit vector for each piece. */
  readonly tokens: Float32Array;
}

export type RunEncoder = (input: EncoderInput) => Promise<EncoderOutput>;

/** The part of onnxruntime that we use. Its own types exist only where an optional package is installed. */
interface Runtime {
  readonly InferenceSession?: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int64" | "float32", data: BigInt64Array | Float32Array, shape: number[]) => object;
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

const nativePackage: string = "onnxruntime-node";
const webPackage: string = "onnxruntime-web";
/**
 * Half the cores, since the device has other things to do, but both of two: a short question waits mainly for reading
 * the weights, and two threads read them in half the time. More than four bring little.
 */
const cores = availableParallelism();
const threadCount = Math.min(cores, 4, Math.max(2, Math.floor(cores / 2)));
const errorsOnly = 3;

export async function openEncoder(way: EncoderWay, path: string): Promise<RunEncoder> {
  const [{ InferenceSession, Tensor }, model] = await Promise.all([loadRuntime(way), readFile(path)]);
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: way === "fast" ? threadCount : 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: errorsOnly,
  }).catch((cause: Error) => {
    // onnxruntime gets bytes and cannot name their file.
    throw new ModelError("embedder_failed", `${path} cannot be loaded: ${cause.message}`, { cause });
  });
  return async ({ pieces, statements }) => {
    const pool = new Float32Array(statements.length * pieces.length);
    for (const [row, places] of statements.entries()) {
      for (const place of places) pool[row * pieces.length + place] = 1 / places.length;
    }
    const { vectors, readings, relation, tokens } = await session.run({
      pieces: new Tensor("int64", BigInt64Array.from(pieces, BigInt), [pieces.length]),
      pool: new Tensor("float32", pool, [statements.length, pieces.length]),
    });
    return { vectors: vectors!.data, readings: readings!.data, relation: relation!.data, tokens: tokens!.data };
  };
}

async function loadRuntime(way: EncoderWay): Promise<Required<Runtime>> {
  const loading = way === "fast" ? import(nativePackage) : import(webPackage);
  const loaded = (await loading.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ERR_MODULE_NOT_FOUND") throw notInstalled(way, cause);
    throw cause;
  })) as Runtime & { readonly default?: Runtime };
  const runtime = loaded.default?.InferenceSession === undefined ? loaded : loaded.default;
  // A stub package installed in its place to leave it out is empty.
  if (runtime.InferenceSession === undefined) throw notInstalled(way);
  return runtime as Required<Runtime>;
}

function notInstalled(way: EncoderWay, cause?: unknown): ModelError {
  const name = way === "fast" ? nativePackage : webPackage;
  const remedy = `install ${nativePackage}, or ${webPackage} where native code does not run`;
  return new ModelError("embedder_failed", `${name} is not installed; ${remedy}`, { cause });
}
