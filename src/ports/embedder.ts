/** Turns texts into vectors. */
export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** The best number of texts per call; 1 if a batch is no faster than its texts one by one. */
  readonly textsPerCall: number;
  /** What runs the model, in words for people. */
  readonly runtime?: string;
  /** One vector per text, in order. Equal texts give equal vectors. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Vectors of different identities cannot be compared; a store remembers whose vectors it holds. */
export interface EmbedderIdentity {
  readonly name: string;
  readonly dimensions: number;
}

export function isSameEmbedder(a: EmbedderIdentity, b: EmbedderIdentity): boolean {
  return a.name === b.name && a.dimensions === b.dimensions;
}
