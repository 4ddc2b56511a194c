/** Loads a model into onnxruntime, in any process, and embeds with it, short texts together. */
import { availableParallelism } from "node:os";
import type { EmbeddedText } from "../../../ports/embedder.js";
import type { JudgeTask } from "../minilm/judge-file.js";
import { readModelJson } from "./model-json.js";
import type { OnnxInput, OnnxModel, OnnxModelName, OnnxOutputs, Texts } from "./model.js";
import { WordPieces } from "./word-pieces.js";

/** The part of `onnxruntime-node` we use. Its own types exist only where the optional package is installed. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array | string, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int64" | "float32", data: OnnxInput["data"], shape: readonly number[]) => object;
}

export interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<OnnxOutputs>;
}

/** Only the bundled model can judge and has vectors of words. */
export interface LoadedModel {
  embed(texts: readonly string[], task?: JudgeTask): Promise<Float32Array[]>;
  embedWords(texts: readonly string[]): Promise<EmbeddedText[]>;
}

const runtimePackage: string = "onnxruntime-node";
/**
 * Half the cores, since the device has other things to do, but both of two: a short question waits mainly for reading
 * the weights, and two threads read them in half the time. More than four bring little.
 */
const cores = availableParallelism();
const defaultThreadCount = Math.min(cores, 4, Math.max(2, Math.floor(cores / 2)));
const errorsOnly = 3;

const loadModel: Readonly<Record<OnnxModelName, (judgePath?: string) => Promise<OnnxModel>>> = {
  minilm: async (judgePath) => (await import("../minilm/model.js")).loadMiniLm(judgePath),
  "gte-small": async () => (await import("../gte-small/model.js")).loadGteSmall(),
};

export async function loadOnnx(name: OnnxModelName, judgePath?: string): Promise<LoadedModel> {
  const runtime = await loadRuntime();
  const { graph, tokenizerPath, tokenCountMax, sharedPieceCountMax, toInputs, toVectors, toWords } =
    await loadModel[name](judgePath);
  const pieces = await readWordPieces(tokenizerPath);
  const session = await createSession(runtime, graph);
  /** `read` is given what came of some texts. */
  const run = async <Result>(
    texts: readonly string[],
    task: JudgeTask | undefined,
    read: (outputs: OnnxOutputs, some: Texts) => Result[],
  ): Promise<Result[]> => {
    const results: Result[] = [];
    for (const some of shareRuns(
      texts.map((text) => pieces.encode(text, tokenCountMax)),
      sharedPieceCountMax,
    )) {
      const inputs = Object.entries(toInputs(some, task));
      const tensors = inputs.map(([input, value]) => [input, makeTensor(runtime, value)] as const);
      results.push(...read(await session.run(Object.fromEntries(tensors)), some));
    }
    return results;
  };
  return {
    embed: (texts, task) => run(texts, task, toVectors),
    embedWords: async (texts) => {
      if (toWords === undefined) throw new Error("it has no vectors of words");
      return run(texts, undefined, (outputs, some) => {
        const words = some.map((ids) => pieces.wordsOf(ids));
        return toWords(outputs, some, words);
      });
    },
  };
}

/** Texts in order, as many to a run as have at most this many pieces together, and at least one. */
export function shareRuns(texts: Texts, pieceCountMax: number): (readonly number[])[][] {
  const runs: (readonly number[])[][] = [];
  let pieceCount = Infinity;
  for (const ids of texts) {
    pieceCount += ids.length;
    if (pieceCount > pieceCountMax) {
      runs.push([]);
      pieceCount = ids.length;
    }
    runs.at(-1)!.push(ids);
  }
  return runs;
}

export async function loadRuntime(): Promise<OnnxRuntime> {
  const loaded = (await import(runtimePackage).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ERR_MODULE_NOT_FOUND") throw new Error(`${runtimePackage} is not installed`, { cause });
    throw cause;
  })) as { default: Partial<OnnxRuntime> };
  // A stub package installed in its place to leave it out is empty.
  if (loaded.default.InferenceSession === undefined) throw new Error(`${runtimePackage} is not installed`);
  return loaded.default as OnnxRuntime;
}

export async function readWordPieces(path: string): Promise<WordPieces> {
  return new WordPieces((await readModelJson(path)) as ConstructorParameters<typeof WordPieces>[0]);
}

export function createSession(
  runtime: OnnxRuntime,
  graph: Uint8Array | string,
  threadCount = defaultThreadCount,
): Promise<Session> {
  return runtime.InferenceSession.create(graph, {
    intraOpNumThreads: threadCount,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: errorsOnly,
  });
}

export function makeTensor(runtime: OnnxRuntime, { data, shape }: OnnxInput): object {
  return new runtime.Tensor(data instanceof Float32Array ? "float32" : "int64", data, shape);
}
