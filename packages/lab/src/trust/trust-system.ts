/** What is measured: anything that takes what people say, tells what became of it, ranks it for a question or sums it up. */
import type { Embedder, MnemosyneOptions, Parameters, Turn } from "mnemosyne-edge";
import type { ChosenJudge } from "../judge-of-run.js";

export const partNames = ["substance", "pairs", "corrections", "unanswerable", "core", "small-talk"] as const;
export type PartName = (typeof partNames)[number];

export interface TrustSystemDefinition {
  readonly name: string;
  /** Those it can be measured on. */
  readonly parts: readonly PartName[];
  open(setting: TrustSetting): Promise<TrustSystem>;
}

export interface TrustSetting {
  /** Owned by the caller: a system does not close it. */
  readonly embedder: Embedder;
  /** Only memories that can use one look at it. */
  readonly judge: ChosenJudge;
  readonly profile: NonNullable<MnemosyneOptions["profile"]>;
  readonly parameters: Partial<Parameters>;
  readonly seed: number;
}

export interface TrustSystem {
  /** Somebody's separate memory. */
  person(name: string, needs?: PersonNeeds): Promise<TrustPerson>;
  close(): Promise<void>;
}

export interface PersonNeeds {
  /** Instead of the run's own. */
  readonly profile?: TrustSetting["profile"];
  /** Keeps a core summary; nobody else is asked for one. */
  readonly coreSummary?: true;
}

export interface TrustPerson {
  /** Processes it completely. */
  commit(said: Said): Promise<void>;
  /** What became of everything, by id. */
  fates(): Promise<ReadonlyMap<string, Fate>>;
  ask(question: { readonly text: string; readonly atMs: number }): Promise<TrustAnswer>;
  /** What is always known about the person, up to date; missing where a system has no such thing. */
  coreSummary?(atMs: number): Promise<string>;
}

export interface Said {
  readonly id: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
  /** Asks for it to be kept, whatever the memory thinks of its substance. */
  readonly keep?: true;
}

export interface Fate {
  readonly outcome: string;
  /** Not remembered. */
  readonly isLost: boolean;
  /** Taken for a repetition. */
  readonly isMerged: boolean;
  /** Ids of what no longer holds because of it. */
  readonly updates: readonly string[];
  /** The scores behind the outcome; null if the system has none. */
  readonly trace: object | null;
}

export interface TrustAnswer {
  /** Ids, best first. */
  readonly ranked: readonly string[];
  /** How sure the system is that it was told; higher is surer. */
  readonly confidence: number;
  /** Whether it says that it was never told. */
  readonly isAbstained: boolean;
  /** The scores behind the ranking; null if the system has none. */
  readonly trace: object | null;
}

/** What a user says in one turn. */
export function userTurn(text: string): Turn[] {
  return [{ who: "user", text }];
}
