/**
 * What other rooms make and the engine's context carries: the reader and the language model as they are asked, a profile's
 * examples, and the forgetting of what expires. The core memory has a file of its own.
 */
import type { Reading } from "../graph/statement.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import type { LanguageModel } from "../ports/language-model.js";
import type { Relation, StatementInTalk, StatementPair } from "../ports/reader.js";

export interface AskedReader {
  readonly name: string;
  /** Null if it does not say what runs it. */
  readonly runtime: string | null;
  /** Whether it is the embedder, too, whose readings come with the vectors. */
  readonly readsAlong: boolean;
  /** Only commits ask. */
  read(statements: readonly StatementInTalk[]): Promise<Reading[]>;
  relate(pairs: readonly StatementPair[]): Promise<Relation[]>;
  /** Drops every verdict, so that no trace of a forgotten text remains here. */
  clearCache(): void;
  close(): Promise<void>;
}

export interface AskedModel {
  readonly model: LanguageModel;
  /** Steps since the memory was opened, by how they went. */
  readonly counts: ModelCounts;
  /** Whether the model recently failed to answer and is being left alone. */
  readonly isResting: boolean;
  /** Null if its last request was answered or this process has made none. */
  readonly silence: ModelSilence | null;
  /** For a caller who wants the model now: a model that failed at once is asked again. */
  askAnyway(): void;
  ask<Value>(question: ModelQuestion<Value>): Promise<ModelAnswer<Value>>;
}

export type ModelStepName = "interaction summary" | "running summary" | "commitment" | "core summary";

/**
 * What happened in one step: the reply was as asked, repaired, or good at the second try, or the step was done without
 * it.
 */
export interface ModelStepTrace {
  readonly step: ModelStepName;
  readonly how: "as asked" | "repaired" | "retried" | "without model";
  readonly repairs: readonly string[];
  /** Why the last reply was unusable, or why there was none. */
  readonly failure: string | null;
}

export interface ModelAnswer<Value> {
  /** Null if the step has to be done without the model. */
  readonly value: Value | null;
  readonly trace: ModelStepTrace;
}

export interface ModelQuestion<Value> {
  readonly step: ModelStepName;
  readonly instruction: string;
  readonly text: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Throws, saying what is wrong, if the object is not what was asked for. */
  readonly read: (object: Readonly<Record<string, unknown>>) => Value;
  /** Rejects with its reason once it is aborted; the model is told to stop, and does not rest for it. */
  readonly signal?: AbortSignal | undefined;
}

export type ModelCounts = Readonly<Record<ModelStepTrace["how"], number>>;

/** The last error of a model that does not answer. */
export interface ModelSilence {
  readonly reason: string;
  /** Whether it used up its time; a model that fails immediately costs little to ask again. */
  readonly usedUpTime: boolean;
  /** Failures since its last reply. */
  readonly count: number;
}

export interface ProfileVectors {
  load(): Promise<SubstanceVectors>;
}

export interface ExampleCategory {
  readonly name: string;
  readonly lasting: boolean;
  readonly vectors: readonly QuantizedVector[];
}

/** A profile's examples as vectors, and where they place the midpoint between substance and small talk. */
export interface SubstanceVectors {
  readonly categories: readonly ExampleCategory[];
  readonly mundane: readonly QuantizedVector[];
  readonly centre: number;
  readonly spread: number;
  /** Share of the examples' words that are English stop words: about 0.6 in English, close to 0 in other languages. */
  readonly stopWordShare: number;
}

export interface Expiries {
  /** Looks at once, and from now on whenever something is due. `forget` removes what of a person has expired. */
  start(forget: (person: string) => Promise<ForgottenCounts>): void;
  /** Something that expires was stored. */
  expect(expiresMs: number | null): void;
  /** Ends after a look in progress. */
  stop(): Promise<void>;
}

export interface ForgottenCounts {
  readonly forgotten: readonly string[];
  readonly removed: { readonly interactions: number; readonly memories: number };
}
