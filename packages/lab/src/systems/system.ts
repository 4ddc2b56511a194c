/** What is compared: anything that takes interactions one by one and can answer questions in between. */
import type { Embedder, Parameters } from "mnemosyne-edge";
import type { DatasetGroup, DatasetInteraction } from "../data/dataset.js";
import type { ChosenJudge } from "../judge-of-run.js";
import type { RecordedModel } from "./recorded-model.js";

export interface SystemDefinition {
  readonly name: string;
  open(setting: SystemSetting): Promise<System>;
}

export interface SystemSetting {
  /** Owned by the caller: a system does not close it. */
  readonly embedder: Embedder;
  /** Only memories that can use one look at it, and those with the paper's settings have none. */
  readonly judge: ChosenJudge;
  readonly timeZone: string;
  readonly profile: DatasetGroup["profile"];
  readonly seed: number;
  /** The caller's values; those of an ablation override them. */
  readonly parameters: Partial<Parameters>;
  /** Stands in for a language model; without it none is used. Only memories that can use one look at it. */
  readonly recordedModel: RecordedModel | null;
}

export interface System {
  /** Processes an interaction completely; returns what its filters decided, null if it has none. */
  commit(interaction: DatasetInteraction): Promise<FilterDecision | null>;
  ask(question: SystemQuestion, tokenBudget: number): Promise<SystemAnswer>;
  close(): Promise<void>;
}

export interface SystemQuestion {
  readonly id: string;
  readonly text: string;
  readonly atMs: number;
}

export interface SystemAnswer {
  /** Ids of memories, best first. */
  readonly ranked: readonly string[];
  readonly context: string;
  readonly contextTokens: number;
}

export interface FilterDecision {
  readonly id: string;
  readonly isDiscarded: boolean;
  /** The memory it was found to repeat; null if none. */
  readonly repeatsId: string | null;
  /** The most redundant memory, whether or not it reached the threshold; null if none was compared. */
  readonly mostRedundantId: string | null;
}
