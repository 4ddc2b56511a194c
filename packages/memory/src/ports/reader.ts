/** Reads what people say to a memory, a statement or two at a time. All verdicts are probabilities from 0 to 1. */
import type { Reading } from "../graph/statement.js";

export interface Reader {
  /** Named in traces. */
  readonly name: string;
  /** What runs it, in words for people. */
  readonly runtime?: string;
  /** What each statement says, in the talk it stands in. */
  read(statements: readonly StatementInTalk[]): Promise<Reading[]>;
  /** For each pair: what the newer statement is to the older one. */
  relate(pairs: readonly StatementPair[]): Promise<Relation[]>;
  /** For each statement: that it answers the question. */
  answers(question: string, statements: readonly string[]): Promise<number[]>;
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
