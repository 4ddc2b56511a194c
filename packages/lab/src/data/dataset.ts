/** The common form of every data set: people whose interactions are replayed in order of time, and questions in between. */
import type { Turn } from "mnemosyne-edge";
import type { JsonReader } from "./json-reader.js";

/** Data sets, with the names that charts give them. */
export const datasetNames = {
  journeys: "Care journeys",
  locomo: "LoCoMo",
  "locomo-turns": "LoCoMo without summaries",
  chats: "Chats",
} as const;

export type DatasetName = keyof typeof datasetNames;

/** Budgets of data sets whose evidence is known word for word. */
export const evidenceBudgets = [500, 1_000, 2_000];

export interface Dataset {
  readonly name: DatasetName;
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
  /** Null if only what was said is known. */
  readonly summary: string | null;
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
