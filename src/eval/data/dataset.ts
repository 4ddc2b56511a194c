/** What every data set is read into: people whose interactions are replayed in time, and questions asked in between. */
import type { Turn } from "../../index.js";
import type { JsonReader } from "./json-reader.js";

export interface Dataset {
  readonly name: "journeys" | "locomo";
  readonly groups: readonly DatasetGroup[];
  /** Kinds of questions, in the order they are reported. */
  readonly kinds: readonly string[];
  /** Kinds that are also reported together, under a name. */
  readonly kindGroups: Readonly<Record<string, readonly string[]>>;
  /** Budgets at which the share of evidence in the context is measured; none where evidence is not known by its words. */
  readonly evidenceBudgets: readonly number[];
}

/** One person or one pair of speakers: a memory of its own. */
export interface DatasetGroup {
  readonly id: string;
  readonly timeZone: string;
  readonly profile: "general" | "healthcare";
  readonly interactions: readonly DatasetInteraction[];
  readonly questions: readonly DatasetQuestion[];
  /** Questions left out because they name no evidence. */
  readonly skippedQuestionCount: number;
}

export interface DatasetInteraction {
  readonly id: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
  readonly summary: string;
  readonly state: string | null;
  /** What the filters should decide; null where nobody has labelled it. */
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
  /** Null where the right answer is that it was never said. */
  readonly answer: string | null;
  /** Turns that answer it, word for word; empty where they are not known. */
  readonly evidence: readonly string[];
}

/** Refuses an id that is there already. */
export function checkUnique(id: string, known: Set<string>, reader: JsonReader): void {
  if (known.has(id)) throw reader.error(`"${id}" is there twice`);
  known.add(id);
}
