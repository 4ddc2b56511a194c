/**
 * The bundled encoder as a reader. Where it is the embedder, too, a commit has its readings with the vectors, from the same
 * pass.
 */
import { basename } from "node:path";
import type { Reading } from "../../graph/statement.js";
import type { Embedder } from "../../ports/embedder.js";
import type { Reader, Relation, StatementInTalk, StatementPair } from "../../ports/reader.js";
import { BundledEmbedder, type BundledEmbedderOptions } from "./bundled.js";
import { toRelation } from "./reading.js";

/** Reads with the embedder's own process if that is the bundled one, otherwise with one of its own, which it closes. */
export function createReader(embedder: Embedder, options: BundledEmbedderOptions): BundledReader {
  if (embedder instanceof BundledEmbedder) return new BundledReader(embedder);
  const encoder = new BundledEmbedder(options);
  return new BundledReader(encoder, () => encoder.close());
}

export class BundledReader implements Reader {
  readonly name: string;
  readonly #encoder: BundledEmbedder;
  readonly close: () => Promise<void>;

  /** Closing the encoder is left to its other users, unless `close` says otherwise. */
  constructor(encoder: BundledEmbedder, close = (): Promise<void> => Promise.resolve()) {
    this.#encoder = encoder;
    this.name = encoder.folder === undefined ? "bundled" : basename(encoder.folder);
    this.close = close;
  }

  readsFor(embedder: Embedder): boolean {
    return this.#encoder === embedder;
  }

  get runtime(): string {
    return this.#encoder.runtime;
  }

  async read(statements: readonly StatementInTalk[]): Promise<Reading[]> {
    const windows = statements.map(({ text, before }) => ({ before, isAnswer: false, texts: [text] }));
    return (await this.#encoder.embedTalk(windows)).map(([statement]) => statement!.reading);
  }

  async relate(pairs: readonly StatementPair[]): Promise<Relation[]> {
    const scores = await this.#encoder.relatePairs(pairs.map(({ older, newer }) => [older, newer]));
    return scores.map(toRelation);
  }
}
