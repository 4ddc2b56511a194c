/** Turns texts into vectors. */
export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** The best number of texts per call; 1 if a batch is no faster than its texts one by one. */
  readonly textsPerCall: number;
  /** A call has no more characters than this unless it has a single text: a question may have to wait for a call. */
  readonly charactersPerCall?: number;
  /** What runs the model, in words for people. */
  readonly runtime?: string;
  /** One vector per text, in order. Equal texts give equal vectors. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Numbers per word vector; absent where the model gives no vectors of words. */
  readonly wordDimensions?: number;
  /** Like `embed`, with a vector for each word that says something. */
  embedWords?(texts: readonly string[]): Promise<EmbeddedText[]>;
  close(): Promise<void>;
}

/** What a text's words mean in this text. */
export interface EmbeddedText {
  /** As `embed` gives it. */
  readonly vector: Float32Array;
  /** Lower-cased words as the tokenizer saw them, in order, with repeats; no stop words, no punctuation. */
  readonly words: readonly string[];
  /** `wordDimensions` numbers per word, one word after another, not normalized. */
  readonly wordVectors: Float32Array;
}

/** Vectors of different identities cannot be compared; a store remembers whose vectors it holds. */
export interface EmbedderIdentity {
  readonly name: string;
  readonly dimensions: number;
}

export function isSameEmbedder(a: EmbedderIdentity, b: EmbedderIdentity): boolean {
  return a.name === b.name && a.dimensions === b.dimensions;
}
