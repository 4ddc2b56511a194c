/** The process in which the encoder runs: its arguments say which way, and where the encoder's files are. */
import { join } from "node:path";
import type { EncoderAnswer, EncoderCall, EncoderWay } from "./encoder-process.js";
import { TextEncoder } from "./encoder.js";
import { openEncoder } from "./runtime.js";

const [way, folder] = process.argv.slice(2) as [EncoderWay, string];
const encoder = TextEncoder.load(openEncoder(way, join(folder, "encoder.onnx")), join(folder, "vocab.txt"));
// Reported to every caller; nobody may have called yet.
encoder.catch(() => {});
let turn: Promise<void> = Promise.resolve();

process.on("message", (call: EncoderCall) => {
  turn = turn.then(() => answer(call));
});
// A terminal's Ctrl-C reaches this process too. It ends when its parent closes the channel.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

async function answer(call: EncoderCall): Promise<void> {
  const { id } = call;
  try {
    process.send!({ id, results: await encode(call) } satisfies EncoderAnswer);
  } catch (error) {
    process.send!({ id, error: (error as Error).message } satisfies EncoderAnswer);
  }
}

async function encode(call: EncoderCall): Promise<Extract<EncoderAnswer, { results: unknown }>["results"]> {
  const ready = await encoder;
  if ("windows" in call) return oneByOne(call.windows, (window) => ready.embedWindow(window));
  if ("pairs" in call) return oneByOne(call.pairs, (pair) => ready.relate(pair));
  return oneByOne(call.texts, (text) => ready.embed(text));
}

async function oneByOne<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
