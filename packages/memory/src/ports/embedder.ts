import type { Reading } from "../graph/statement.js";

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
  /** The statements of each window, read in the talk around them; absent where the model embeds single texts only. */
  embedTalk?(windows: readonly TalkWindow[]): Promise<EmbeddedStatement[][]>;
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

/** Statements of one turn that follow each other. */
export interface TalkWindow {
  /** The question that the first statement answers, or the last words before it; null if there are none. */
  readonly before: string | null;
  /** `before` is a question, which belongs to what the first statement says. */
  readonly isAnswer: boolean;
  readonly texts: readonly string[];
}

export interface EmbeddedStatement extends EmbeddedText {
  readonly reading: Reading;
}

/** Vectors of different identities cannot be compared; a store remembers whose vectors it holds. */
export interface EmbedderIdentity {
  readonly name: string;
  readonly dimensions: number;
}

export function isSameEmbedder(a: EmbedderIdentity, b: EmbedderIdentity): boolean {
  return a.name === b.name && a.dimensions === b.dimensions;
}
