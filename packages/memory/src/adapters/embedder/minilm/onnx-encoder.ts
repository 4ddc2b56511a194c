/** The bundled model on `onnxruntime-node`, an optional package with native code; short texts share a run. */
import { availableParallelism } from "node:os";
import { adapterShareName, inputName, outputName, positionsName, textsName, writeBertGraph } from "./bert-graph.js";
import type { Encoder, Texts } from "./encoder.js";
import { ReaderFile, type ReaderTask, readerTasks } from "./reader-file.js";
import { type ModelFiles, readWords } from "./model-files.js";

type Numbers = BigInt64Array | Float32Array;

/** The part of `onnxruntime-node` we use. Its own types exist only where the optional package is installed. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int64" | "float32", data: Numbers, shape: readonly number[]) => object;
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

const runtimePackage: string = "onnxruntime-node";
/**
 * Half the cores, since the device has other things to do, but both of two: a short question waits mainly for reading
 * the weights, and two threads read them in half the time. More than four bring little.
 */
const cores = availableParallelism();
const threadCount = Math.min(cores, 4, Math.max(2, Math.floor(cores / 2)));
const errorsOnly = 3;
/** Texts share a run as long as they have no more word pieces together: as long as one text of this length takes. */
const sharedPieceCountMax = 128;
/**
 * A text begins at a row that is a multiple of this. onnxruntime adds up as many numbers at a time, so a text has the same
 * vector to the last bit wherever in a run it lies.
 */
const rowsPerStep = 4;

export async function loadOnnxEncoder(files: ModelFiles, readerPath?: string): Promise<Encoder> {
  const runtime = await loadRuntime();
  const judge = new ReaderFile(readerPath);
  const { bytes, rankCounts } = writeBertGraph(files, judge);
  const session = await runtime.InferenceSession.create(bytes, {
    intraOpNumThreads: threadCount,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: errorsOnly,
  });
  const tensor = (data: Numbers, shape: readonly number[]): object =>
    new runtime.Tensor(data instanceof Float32Array ? "float32" : "int64", data, shape);
  const encodeRun = async (texts: Texts, task: ReaderTask | undefined): Promise<Float32Array[]> => {
    const starts = startsOf(texts);
    const share = readerTasks.flatMap((each) => Array<number>(rankCounts.get(each)!).fill(each === task ? 1 : 0));
    const { ids, positions, members } = layOut(texts, starts);
    const outputs = await session.run({
      [inputName]: tensor(readWords(files, ids), [ids.length, files.config.hidden_size]),
      [positionsName]: tensor(positions, [ids.length]),
      [textsName]: tensor(members, [texts.length, ids.length]),
      [adapterShareName]: tensor(Float32Array.from(share), [share.length]),
    });
    const { data } = outputs[outputName]!;
    const width = files.config.hidden_size;
    return texts.map(({ length }, i) => data.subarray(starts[i]! * width, (starts[i]! + length) * width));
  };
  return {
    async encode(texts, task) {
      const states: Float32Array[] = [];
      for (const some of shareRuns(texts)) states.push(...(await encodeRun(some, task)));
      return states;
    },
  };
}

async function loadRuntime(): Promise<OnnxRuntime> {
  const loaded = (await import(runtimePackage).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ERR_MODULE_NOT_FOUND") throw new Error(`${runtimePackage} is not installed`, { cause });
    throw cause;
  })) as { default: Partial<OnnxRuntime> };
  // A stub package installed in its place to leave it out is empty.
  if (loaded.default.InferenceSession === undefined) throw new Error(`${runtimePackage} is not installed`);
  return loaded.default as OnnxRuntime;
}

/** Texts in order, as many to a run as fit, and at least one. */
export function shareRuns(texts: Texts): (readonly number[])[][] {
  const runs: (readonly number[])[][] = [];
  let pieceCount = Infinity;
  for (const ids of texts) {
    pieceCount += ids.length;
    if (pieceCount > sharedPieceCountMax) {
      runs.push([]);
      pieceCount = ids.length;
    }
    runs.at(-1)!.push(ids);
  }
  return runs;
}

/** The pieces of all texts, one below the other; rows between two texts belong to neither. */
function layOut(texts: Texts, starts: readonly number[]) {
  const rowCount = starts.at(-1)! + texts.at(-1)!.length;
  const ids = Array<number>(rowCount).fill(0);
  const positions = new BigInt64Array(rowCount);
  const members = new Float32Array(texts.length * rowCount);
  for (const [text, pieces] of texts.entries()) {
    for (const [i, id] of pieces.entries()) {
      const row = starts[text]! + i;
      ids[row] = id;
      positions[row] = BigInt(i);
      members[text * rowCount + row] = 1;
    }
  }
  return { ids, positions, members };
}

function startsOf(texts: Texts): number[] {
  let end = 0;
  return texts.map(({ length }) => {
    const start = Math.ceil(end / rowsPerStep) * rowsPerStep;
    end = start + length;
    return start;
  });
}
