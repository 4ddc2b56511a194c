/** The process in which onnxruntime runs a model: loads the one it is started with, then embeds text by text. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { EmbedAnswer, EmbedCall } from "./embed-calls.js";
import type { OnnxModel, OnnxModelName, OnnxOutputs } from "./onnx-model.js";
import { WordPieces } from "./word-pieces.js";

/** What is used of `onnxruntime-node`. Its own types are there only where the optional package is. */
interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array | string, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => object;
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<OnnxOutputs>;
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

const loadModel: Readonly<Record<OnnxModelName, () => Promise<OnnxModel>>> = {
  minilm: async () => (await import("./minilm-model.js")).loadMiniLm(),
  "gte-small": async () => (await import("./gte-small-model.js")).loadGteSmall(),
};

const embedText = load(process.argv[2] as OnnxModelName);
// Told to everybody who asks; nobody may have asked yet.
embedText.catch(() => {});
let turn: Promise<void> = Promise.resolve();

process.on("message", (call: EmbedCall) => {
  turn = turn.then(() => answer(call));
});
// A terminal's Ctrl-C goes to this process too. It ends when the one that started it closes the channel.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

async function load(name: OnnxModelName): Promise<EmbedText> {
  const { default: runtime } = (await import(runtimePackage)) as { default: OnnxRuntime };
  const { graph, tokenizerPath, tokenCountMax, toInputs, toVector } = await loadModel[name]();
  const tokenizer = JSON.parse(await readFile(tokenizerPath, "utf8")) as ConstructorParameters<typeof WordPieces>[0];
  const pieces = new WordPieces(tokenizer);
  const session = await createSession(runtime, graph);
  await dropBuffers();
  return async (text) => {
    const inputs = toInputs(BigInt64Array.from(pieces.encode(text, tokenCountMax), BigInt));
    const tensors = Object.entries(inputs).map(
      ([input, { data, shape }]) => [input, new runtime.Tensor("int64", data, shape)] as const,
    );
    return toVector(await session.run(Object.fromEntries(tensors)));
  };
}

function createSession(runtime: OnnxRuntime, graph: Uint8Array | string): Promise<Session> {
  return runtime.InferenceSession.create(graph, {
    intraOpNumThreads: threadCount,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: errorsOnly,
  });
}

/** The file and the graph are not needed any more, and no later step makes enough garbage to have them collected. */
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
