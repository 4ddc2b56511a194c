/** The part of `node-llama-cpp` we use. Its own types exist only where the optional package is installed. */

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
  /** The longest context it was trained on, in tokens. */
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

/** Opaque; only passed back to the package that made it. */
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
      /** Once it is aborted, the call rejects with its reason. */
      readonly signal: AbortSignal;
      readonly onTextChunk?: (piece: string) => void;
      /** Also called for thoughts, which are segments. */
      readonly onResponseChunk?: (chunk: { readonly type?: string }) => void;
    },
  ): Promise<{ readonly response: string }>;
}
