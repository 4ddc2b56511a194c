/** The process in which the bundled model runs: loads it the way its first argument says, then embeds and judges. */
import { TextEmbedder } from "./encoder.js";
import type { BundledWay, EmbedAnswer, EmbedCall } from "./encoder-process.js";
import { loadOnnxEncoder } from "./onnx-encoder.js";
import { PlainEncoder } from "./plain-encoder.js";

const [way, readerPath] = process.argv.slice(2) as [BundledWay, string | undefined];
const model = TextEmbedder.load(
  way === "fast" ? loadOnnxEncoder : async (files, path) => new PlainEncoder(files, path),
  readerPath,
);
// Reported to every caller; nobody may have called yet.
model.catch(() => {});
let turn: Promise<void> = Promise.resolve();

process.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});
// A terminal's Ctrl-C reaches this process too. It ends when its parent closes the channel.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

async function answer({ id, texts, task, withWords }: EmbedCall): Promise<void> {
  try {
    const embedder = await model;
    const results = await (withWords === true ? embedder.embedWords(texts) : embedder.embed(texts, task));
    process.send!({ id, results } satisfies EmbedAnswer);
  } catch (error) {
    process.send!({ id, error: (error as Error).message } satisfies EmbedAnswer);
  }
}
