/** The hashing embedder, which notes the texts that reach it. */
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

export class NotingEmbedder extends HashingEmbedder {
  readonly texts: string[] = [];

  override embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.texts.push(...texts);
    return super.embed(texts);
  }

  /** The texts that reach it while `work` is done. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.texts.length;
    await work();
    return this.texts.slice(before);
  }
}
