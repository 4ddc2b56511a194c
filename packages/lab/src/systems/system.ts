/** A memory that is measured: it is told interactions in order of time and asked questions in between. */
import type { Person, Question, Told } from "../data/person.js";
import type { Models } from "../model-cache.js";

export interface Answer {
  /** Ids of interactions, best first. */
  readonly ranked: readonly string[];
  readonly context: string;
  /** Null for a system that has none. */
  readonly confidence: number | null;
}

export interface System {
  tell(told: Told): Promise<void>;
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

/** What the run changes about ours. */
export interface Change {
  /** Parameters that are set, such as `{ lexicalWeight: 0 }`. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Without the reader. */
  readonly isUnread: boolean;
}

export type OpenSystem = (person: Person, models: Models, change: Change) => Promise<System>;

/** Tokens of a context; four letters each. */
export const tokenBudget = 900;
export const lettersPerToken = 4;
