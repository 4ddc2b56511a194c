/** Reads what people say to a memory, a statement or two at a time. All verdicts are probabilities from 0 to 1. */
import type { Reading } from "../graph/statement.js";
import type { Embedder } from "./embedder.js";

export interface Reader {
  /** Named in traces. */
  readonly name: string;
  /** What runs it, in words for people. */
  readonly runtime?: string;
  /** Whether the readings that come with this embedder's vectors are its own; `read` is then not called. */
  readsFor?(embedder: Embedder): boolean;
  /** What each statement says, in the talk it stands in. */
  read(statements: readonly StatementInTalk[]): Promise<Reading[]>;
  /** For each pair: what the newer statement is to the older one. */
  relate(pairs: readonly StatementPair[]): Promise<Relation[]>;
  close(): Promise<void>;
}

export interface StatementInTalk {
  readonly text: string;
  /** The last words before it: of its own turn, or of the turn that it answers; null if it is the first of all. */
  readonly before: string | null;
}

export interface StatementPair {
  readonly older: string;
  readonly newer: string;
}

/** The three add up to 1. */
export interface Relation {
  readonly repeats: number;
  /** The older one is no longer true. */
  readonly ends: number;
  /** Both are true. */
  readonly other: number;
}
