/** From the results of single questions to a report: means with 95 % intervals, by kind, and against Mnemosyne and naive RAG. */
import type { AuditRecord } from "./audit.js";
import { Bootstrap, type Interval, mean } from "./bootstrap.js";
import type { Dataset } from "../data/dataset.js";
import {
  type LabelledDecision,
  type RedundancyScore,
  type SubstanceScore,
  labelDecisions,
  scoreRedundancy,
  scoreSubstance,
} from "./filter-scores.js";
import { naiveRagName } from "../systems/baselines.js";
import { mnemosyneName, withoutModelName } from "../systems/mnemosyne-systems.js";
import type { Provenance } from "./provenance.js";
import type { Measure, QuestionResult, Replay } from "../replay.js";

/** Means over questions, each with its interval by the same name. */
export type Scores = {
  readonly count: number;
  readonly intervals: Readonly<Partial<Record<Measure, Interval>>>;
} & Readonly<Partial<Record<Measure, number>>>;

export interface Difference {
  /** One mean minus the other, over the same questions. */
  readonly difference: number;
  readonly interval: Interval;
}

export interface SystemReport {
  readonly all: Scores;
  readonly byKind: Readonly<Record<string, Scores>>;
  /** Kinds of LoCoMo that have an answer. */
  readonly answerable?: Scores;
  /** Mnemosyne minus this system. */
  readonly versusMnemosyne?: Readonly<Partial<Record<Measure, Difference>>>;
  /** This system, with a language model's recorded replies, minus itself without a model. */
  readonly versusWithoutModel?: Readonly<Partial<Record<Measure, Difference>>>;
  /** This system minus naive RAG, the paper's baseline. */
  readonly versusNaiveRag?: Readonly<Partial<Record<Measure, Difference>>>;
}

/** For the whole data set, and for each of its groups. */
export interface FilterReport<Score> {
  readonly all: Score;
  readonly byGroup: Readonly<Record<string, Score>>;
}

export interface EvaluationReport extends Provenance {
  readonly dataset: Dataset["name"];
  readonly groups: readonly string[];
  /** Questions asked of each system. */
  readonly count: number;
  readonly skippedQuestionCount: number;
  readonly systems: Readonly<Record<string, SystemReport>>;
  /** For the system "mnemosyne"; null if it was left out or nothing is labelled. */
  readonly substance: FilterReport<SubstanceScore> | null;
  readonly redundancy: FilterReport<RedundancyScore> | null;
  readonly embedder: string;
  /** Parameters that the caller set, on top of the presets. */
  readonly parameters: Readonly<Record<string, number>>;
  /** File of recorded replies that stood in for a language model; without it there was none. */
  readonly replies?: string;
  readonly seed: number;
}

/** Replays of one system, group by group in the order of the data set. */
export interface SystemReplay {
  readonly name: string;
  readonly replays: readonly Replay[];
}

export type ReportFacts = Pick<EvaluationReport, "seed" | keyof Provenance | "embedder" | "parameters" | "replies">;

export function writeReport(dataset: Dataset, systems: readonly SystemReplay[], facts: ReportFacts): EvaluationReport {
  const bootstrap = new Bootstrap(facts.seed);
  const mnemosyne = systems.find(({ name }) => name === mnemosyneName);
  const naiveRag = systems.find(({ name }) => name === naiveRagName);
  const labelled = mnemosyne === undefined ? [] : labelGroups(dataset, mnemosyne);
  return {
    dataset: dataset.name,
    groups: dataset.groups.map(({ id }) => id),
    count: dataset.groups.reduce((sum, { questions }) => sum + questions.length, 0),
    skippedQuestionCount: dataset.groups.reduce((sum, group) => sum + group.skippedQuestionCount, 0),
    systems: Object.fromEntries(
      systems.map((system) => {
        const withoutModel = systems.find(({ name }) => name === withoutModelName(system.name));
        return [system.name, reportSystem(dataset, system, { mnemosyne, withoutModel, naiveRag }, bootstrap)];
      }),
    ),
    substance: reportFilter(labelled, scoreSubstance),
    redundancy: reportFilter(labelled, scoreRedundancy),
    ...facts,
  };
}

export function auditRecords(systems: readonly SystemReplay[]): AuditRecord[] {
  return systems.flatMap((system) => resultsOf(system).map(({ record }) => record));
}

function resultsOf({ replays }: SystemReplay): QuestionResult[] {
  return replays.flatMap(({ results }) => results);
}

function reportSystem(
  { kinds, kindGroups }: Dataset,
  system: SystemReplay,
  compared: Readonly<Record<"mnemosyne" | "withoutModel" | "naiveRag", SystemReplay | undefined>>,
  bootstrap: Bootstrap,
): SystemReport {
  const { mnemosyne, withoutModel, naiveRag } = compared;
  const results = resultsOf(system);
  const scoresOf = (chosen: readonly string[]): Scores =>
    score(
      results.filter(({ record }) => chosen.includes(record.kind)),
      bootstrap,
    );
  const asked = kinds.filter((kind) => results.some(({ record }) => record.kind === kind));
  const isOther = (other: SystemReplay | undefined): other is SystemReplay => other !== undefined && other !== system;
  return {
    all: score(results, bootstrap),
    ...Object.fromEntries(Object.entries(kindGroups).map(([name, chosen]) => [name, scoresOf(chosen)])),
    byKind: Object.fromEntries(asked.map((kind) => [kind, scoresOf([kind])])),
    ...(isOther(mnemosyne) ? { versusMnemosyne: compare(resultsOf(mnemosyne), results, bootstrap) } : {}),
    ...(isOther(withoutModel) ? { versusWithoutModel: compare(results, resultsOf(withoutModel), bootstrap) } : {}),
    ...(isOther(naiveRag) ? { versusNaiveRag: compare(results, resultsOf(naiveRag), bootstrap) } : {}),
  };
}

function score(results: readonly QuestionResult[], bootstrap: Bootstrap): Scores {
  const means: Partial<Record<Measure, number>> = {};
  const intervals: Partial<Record<Measure, Interval>> = {};
  for (const measure of measuresOf(results)) {
    const values = valuesOf(measure, results);
    means[measure] = mean(values);
    intervals[measure] = bootstrap.interval(values);
  }
  return { count: results.length, ...means, intervals };
}

/** Both lists have the same questions in the same order. */
function compare(
  one: readonly QuestionResult[],
  other: readonly QuestionResult[],
  bootstrap: Bootstrap,
): Partial<Record<Measure, Difference>> {
  const differences: Partial<Record<Measure, Difference>> = {};
  for (const measure of measuresOf(other)) {
    const others = valuesOf(measure, other);
    const values = valuesOf(measure, one).map((value, i) => value - others[i]!);
    differences[measure] = { difference: mean(values), interval: bootstrap.interval(values) };
  }
  return differences;
}

function measuresOf(results: readonly QuestionResult[]): Measure[] {
  return [...new Set(results.flatMap(({ measures }) => Object.keys(measures) as Measure[]))];
}

/** Not every question has every measure: without known evidence there is no share of it. */
function valuesOf(measure: Measure, results: readonly QuestionResult[]): number[] {
  return results.map(({ measures }) => measures[measure]).filter((value) => value !== undefined);
}

function labelGroups({ groups }: Dataset, { replays }: SystemReplay): [string, LabelledDecision[]][] {
  return groups
    .map((group, i): [string, LabelledDecision[]] => [group.id, labelDecisions(group, replays[i]!.decisions)])
    .filter(([, decisions]) => decisions.length > 0);
}

function reportFilter<Score>(
  labelled: readonly [string, LabelledDecision[]][],
  scoreDecisions: (decisions: readonly LabelledDecision[]) => Score,
): FilterReport<Score> | null {
  if (labelled.length === 0) return null;
  return {
    all: scoreDecisions(labelled.flatMap(([, decisions]) => decisions)),
    byGroup: Object.fromEntries(labelled.map(([id, decisions]) => [id, scoreDecisions(decisions)])),
  };
}
