/** What is used of `node-llama-cpp`. Its own types are there only where the optional package is. */

export interface LlamaModule {
  getLlama(options: LlamaOptions): Promise<Llama>;
  readonly LlamaChat: new (options: { readonly contextSequence: object }) => LlamaChat;
}

interface LlamaOptions {
  readonly gpu: false | "auto";
  readonly build: "never";
  readonly skipDownload: boolean;
  readonly progressLogs: boolean;
  readonly maxThreads: number;
  readonly logLevel: "error";
  readonly logger: (level: string, message: string) => void;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  /** Tokens of the longest text it was trained on. */
  readonly trainContextSize: number;
  tokenize(text: string): readonly unknown[];
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
  }): Promise<LlamaContext>;
}

interface LlamaContext {
  readonly contextSize: number;
  getSequence(): object;
}

/** Only handed back to the package that made it. */
export interface LlamaGrammar {
  readonly grammar: string;
}

export type LlamaChatItem =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: readonly string[] };

export interface LlamaChat {
  generateResponse(
    history: readonly LlamaChatItem[],
    options: {
      readonly grammar?: LlamaGrammar;
      readonly temperature: number;
      readonly seed?: number;
      readonly maxTokens: number;
      /** The call rejects with the reason once it is aborted. */
      readonly signal: AbortSignal;
      readonly onTextChunk?: (piece: string) => void;
      /** Told of thoughts too, which are segments. */
      readonly onResponseChunk?: (chunk: { readonly type?: string }) => void;
    },
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>;
}
