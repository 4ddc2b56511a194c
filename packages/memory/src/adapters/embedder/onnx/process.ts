/** The process in which onnxruntime runs a model: loads the one it is started with, for judging with the file named after it, then embeds. */
import type { EmbedAnswer, EmbedCall } from "../embed-calls.js";
import type { OnnxModelName } from "./model.js";
import { loadOnnx } from "./session.js";

const model = loadOnnx(process.argv[2] as OnnxModelName, process.argv[3]);
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
    const { embed, embedWords } = await model;
    const results = await (withWords === true ? embedWords(texts) : embed(texts, task));
    process.send!({ id, results } satisfies EmbedAnswer);
  } catch (error) {
    process.send!({ id, error: (error as Error).message } satisfies EmbedAnswer);
  }
}
