/** The common form of every data set: people whose interactions are replayed in order of time, and questions in between. */
import type { Turn } from "../../index.js";
import type { JsonReader } from "./json-reader.js";

export interface Dataset {
  readonly name: "journeys" | "locomo";
  readonly groups: readonly DatasetGroup[];
  /** Kinds of questions, in the order of the report. */
  readonly kinds: readonly string[];
  /** Kinds that are also reported together, by the name of the group. */
  readonly kindGroups: Readonly<Record<string, readonly string[]>>;
  /** Budgets at which the share of evidence in the context is measured; empty if the words of the evidence are unknown. */
  readonly evidenceBudgets: readonly number[];
}

/** One person or one pair of speakers, with a separate memory. */
export interface DatasetGroup {
  readonly id: string;
  readonly timeZone: string;
  readonly profile: "general" | "healthcare";
  readonly interactions: readonly DatasetInteraction[];
  readonly questions: readonly DatasetQuestion[];
  /** Questions skipped because they name no evidence. */
  readonly skippedQuestionCount: number;
}

export interface DatasetInteraction {
  readonly id: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
  readonly summary: string;
  readonly state: string | null;
  /** What the filters should decide; null if unlabelled. */
  readonly labels: FilterLabels | null;
}

export interface FilterLabels {
  readonly substantial: boolean;
  /** The earlier interaction it repeats. */
  readonly redundantWith: string | null;
}

export interface DatasetQuestion {
  readonly id: string;
  readonly atMs: number;
  readonly text: string;
  readonly kind: string;
  /** Interactions that answer it. */
  readonly gold: readonly string[];
  /** Null if the correct answer is that it was never said. */
  readonly answer: string | null;
  /** Turns that answer it, word for word; empty if unknown. */
  readonly evidence: readonly string[];
}

/** Refuses a duplicate id. */
export function checkUnique(id: string, known: Set<string>, reader: JsonReader): void {
  if (known.has(id)) throw reader.error(`"${id}" occurs twice`);
  known.add(id);
}
