/** Turns texts into vectors. */
export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** How many texts are best handed over at once; 1 where a batch is not faster than its texts. */
  readonly textsPerCall: number;
  /** What runs the model, for people to read. */
  readonly runtime?: string;
  /** One vector per text, in their order. Equal texts give equal vectors. */
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
