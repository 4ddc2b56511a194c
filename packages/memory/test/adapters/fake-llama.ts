/** A `node-llama-cpp` without llama.cpp: it says what it is told to say and notes what it was asked. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface FakeRequest {
  readonly history: readonly { readonly type: string; readonly text?: string; readonly response?: readonly string[] }[];
  readonly options: {
    readonly grammar?: { readonly schema: unknown };
    readonly temperature: number;
    readonly seed?: number;
    readonly maxTokens: number;
    readonly signal: AbortSignal;
    readonly onTextChunk?: (piece: string) => void;
  };
}

export type FakeAnswer = (request: FakeRequest, index: number) => string | Error | "never";

/** A token is a character here. */
export class FakeLlama {
  readonly requests: FakeRequest[] = [];
  readonly events: string[] = [];
  readonly llamaOptions: Record<string, unknown>[] = [];
  readonly contextOptions: Record<string, unknown>[] = [];
  schemas: unknown[] = [];
  trainContextSize = 100_000;
  importError: Error | null = null;
  loadError: Error | null = null;
  underWayMost = 0;
  #underWay = 0;
  readonly #answer: FakeAnswer;

  constructor(answer: FakeAnswer = () => "{}") {
    this.#answer = answer;
  }

  importLlama = async (): Promise<unknown> => {
    if (this.importError !== null) throw this.importError;
    const generate = (request: FakeRequest): Promise<object> => this.#generate(request);
    class LlamaChat {
      readonly generateResponse = (history: FakeRequest["history"], options: FakeRequest["options"]) =>
        generate({ history, options });
    }
    return { LlamaChat, getLlama: async (options: Record<string, unknown>) => this.#getLlama(options) };
  };

  #getLlama(llamaOptions: Record<string, unknown>): object {
    this.llamaOptions.push(llamaOptions);
    return {
      loadModel: async ({ modelPath }: { modelPath: string }) => {
        this.events.push(`load ${modelPath.split(/[/\\]/u).at(-1)}`);
        if (this.loadError !== null) {
          (llamaOptions["logger"] as (level: string, message: string) => void)("error", "unknown architecture\n");
          throw this.loadError;
        }
        return {
          trainContextSize: this.trainContextSize,
          tokenize: (text: string) => [...text],
          createContext: async (options: { contextSize: number }) => {
            this.contextOptions.push(options);
            return { contextSize: options.contextSize, getSequence: () => ({}) };
          },
        };
      },
      createGrammarForJsonSchema: async (schema: unknown) => {
        this.schemas.push(schema);
        return { schema };
      },
      dispose: async () => void this.events.push("dispose"),
    };
  }

  async #generate(request: FakeRequest): Promise<object> {
    const index = this.requests.push(request) - 1;
    this.underWayMost = Math.max(this.underWayMost, ++this.#underWay);
    try {
      await sleep(2);
      return await this.#speak(this.#answer(request, index), request);
    } finally {
      this.#underWay--;
    }
  }

  async #speak(answer: ReturnType<FakeAnswer>, { options }: FakeRequest): Promise<object> {
    const { signal, onTextChunk } = options;
    signal.throwIfAborted();
    if (answer instanceof Error) throw answer;
    if (answer === "never") {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    }
    for (const piece of answer.split(/(?<= )/u)) onTextChunk?.(piece);
    return { response: answer };
  }
}

/** A file that begins like a model. */
export function writeModelFile(folder: string, name = "tiny.gguf"): string {
  const path = join(folder, name);
  writeFileSync(path, "GGUF and nothing else");
  return path;
}
