/**
 * Replays a group's time once: every interaction is committed at its own moment and every question asked at its own,
 * in one order of time, so that a question sees the memory as it was and never what came later.
 */
import { type Embedder, type Parameters, parameterDefinitions } from "mnemosyne-edge";
import type { AuditRecord } from "./report/audit.js";
import type { DatasetGroup, DatasetInteraction, DatasetQuestion } from "./data/dataset.js";
import type { RecordedReplies } from "./data/recorded-replies.js";
import { lendEmbedder } from "./embedding-cache.js";
import { evidenceShare, hitAt, ndcgAt, recallAt } from "./report/metrics.js";
import { type ChosenJudge, lendJudge } from "./judge-of-run.js";
import { RecordedModel } from "./systems/recorded-model.js";
import type { FilterDecision, System, SystemDefinition } from "./systems/system.js";

export interface ReplaySetting {
  readonly embedder: Embedder;
  readonly judge: ChosenJudge;
  readonly seed: number;
  /** Override the presets of the Mnemosyne systems. */
  readonly parameters: Partial<Parameters>;
  readonly evidenceBudgets: readonly number[];
  /** Of a language model for this group; null to do without one. */
  readonly replies: RecordedReplies | null;
  /** Called after each interaction and each question. */
  readonly onStep: () => void;
}

export interface Replay {
  readonly results: readonly QuestionResult[];
  readonly decisions: readonly FilterDecision[];
}

export type Measure = "hit3" | "ndcg3" | "recall3" | "recall10" | "contextTokens" | `evidence${number}`;

export interface QuestionResult {
  readonly record: AuditRecord;
  readonly measures: Readonly<Partial<Record<Measure, number>>>;
}

const tokenBudget = parameterDefinitions.contextTokenBudget.default;

export async function replayGroup(
  group: DatasetGroup,
  definition: SystemDefinition,
  setting: ReplaySetting,
): Promise<Replay> {
  const { timeZone, profile } = group;
  const { seed, parameters, replies } = setting;
  const embedder = lendEmbedder(setting.embedder);
  const judge = lendJudge(setting.judge);
  const recordedModel = replies === null ? null : new RecordedModel(replies);
  const system = await definition.open({ embedder, judge, timeZone, profile, seed, parameters, recordedModel });
  const results: QuestionResult[] = [];
  const decisions: FilterDecision[] = [];
  try {
    for (const { interaction, question } of orderEvents(group)) {
      if (question !== undefined) results.push(await ask(question, group, definition.name, system, setting));
      const decision = interaction === undefined ? null : await system.commit(interaction);
      if (decision !== null) decisions.push(decision);
      setting.onStep();
    }
  } finally {
    await system.close();
  }
  return { results, decisions };
}

interface ReplayEvent {
  readonly atMs: number;
  readonly question?: DatasetQuestion;
  readonly interaction?: DatasetInteraction;
}

/** By time; a question asked at the same moment as an interaction comes first. */
function orderEvents({ interactions, questions }: DatasetGroup): ReplayEvent[] {
  const asked = questions.map((question) => ({ atMs: question.atMs, question }));
  const committed = interactions.map((interaction) => ({ atMs: interaction.atMs, interaction }));
  return [...asked, ...committed].sort((x, y) => x.atMs - y.atMs);
}

async function ask(
  question: DatasetQuestion,
  group: DatasetGroup,
  systemName: string,
  system: System,
  { evidenceBudgets }: ReplaySetting,
): Promise<QuestionResult> {
  const { id, text, atMs, gold, evidence, kind, answer } = question;
  const asked = { id, text, atMs };
  const { ranked, context, contextTokens } = await system.ask(asked, tokenBudget);
  const measures: Partial<Record<Measure, number>> = {
    hit3: hitAt(3, ranked, gold),
    ndcg3: ndcgAt(3, ranked, gold),
    recall3: recallAt(3, ranked, gold),
    recall10: recallAt(10, ranked, gold),
    contextTokens,
  };
  for (const budget of evidence.length === 0 ? [] : evidenceBudgets) {
    const written = budget === tokenBudget ? context : (await system.ask(asked, budget)).context;
    measures[`evidence${budget}`] = evidenceShare(written, evidence);
  }
  const record = {
    system: systemName,
    group: group.id,
    questionId: id,
    question: text,
    kind,
    at: new Date(atMs).toISOString(),
    gold,
    goldAnswer: answer,
    ranked,
    context,
    contextTokens,
  };
  return { record, measures };
}
