import type { Embedder, EmbedderIdentity } from "mnemosyne-edge";

export declare class HashingEmbedder implements Embedder {
  constructor(options?: { name?: string; dimensions?: number });
  readonly identity: EmbedderIdentity;
  readonly textsPerCall: number;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export declare function seededRandom(seed: string): () => number;
