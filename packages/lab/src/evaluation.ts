/** An evaluation: every chosen system replays every group of a data set and answers its questions. */
import { type Embedder, InputError, type Parameters } from "mnemosyne-edge";
import { type AuditHeader, type AuditRecord, writeAudit } from "./report/audit.js";
import type { Dataset } from "./data/dataset.js";
import { type RecordedReplies, checkReplies } from "./data/recorded-replies.js";
import { EmbeddingCache } from "./embedding-cache.js";
import { findProvenance } from "./report/provenance.js";
import { type Replay, type ReplaySetting, replayGroup } from "./replay.js";
import { type EvaluationReport, type SystemReplay, auditRecords, writeReport } from "./report/report.js";
import { type ChosenJudge, closeJudge, openJudge } from "./judge-of-run.js";
import type { SystemDefinition } from "./systems/system.js";

export interface EvaluationOptions {
  readonly systems: readonly SystemDefinition[];
  /** Closed at the end. */
  readonly embedder: Embedder;
  /** Of the Mnemosyne systems, but for those with the paper's settings; the bundled one if omitted. Closed at the end. */
  readonly judge?: ChosenJudge;
  readonly seed: number;
  /** Caches vectors here for the next run. */
  readonly cacheFolder?: string;
  /** Override the presets of the Mnemosyne systems. */
  readonly parameters?: Partial<Parameters>;
  /** Stand in for a language model; without them none is used. */
  readonly replies?: RecordedReplies;
  readonly onProgress?: (doneCount: number, totalCount: number, note: string) => void;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  readonly records: readonly AuditRecord[];
}

export async function evaluate(dataset: Dataset, options: EvaluationOptions): Promise<Evaluation> {
  const { replies } = options;
  if (replies !== undefined) checkReplies(dataset, replies);
  const embedder = await EmbeddingCache.open(options.embedder, options.cacheFolder);
  const judge = openJudge(options.judge, options.embedder);
  try {
    const provenance = await findProvenance();
    const systems = await replayAll(dataset, { embedder, judge }, options);
    const report = writeReport(dataset, systems, {
      embedder: embedder.identity.name,
      parameters: { ...options.parameters },
      ...(replies === undefined ? {} : { replies: replies.file }),
      seed: options.seed,
      ...provenance,
    });
    return { report, records: auditRecords(systems) };
  } finally {
    await closeJudge(judge);
    await embedder.close();
  }
}

async function replayAll(
  { groups, evidenceBudgets }: Dataset,
  models: Pick<ReplaySetting, "embedder" | "judge">,
  { systems, seed, parameters = {}, replies, onProgress = () => {} }: EvaluationOptions,
): Promise<SystemReplay[]> {
  const stepCount = groups.reduce(
    (sum, { interactions, questions }) => sum + interactions.length + questions.length,
    0,
  );
  let doneCount = 0;
  const replayed: SystemReplay[] = [];
  for (const definition of systems) {
    const replays: Replay[] = [];
    for (const group of groups) {
      const onStep = (): void => onProgress(++doneCount, stepCount * systems.length, `${definition.name}, ${group.id}`);
      replays.push(
        await replayGroup(group, definition, {
          ...models,
          seed,
          parameters,
          replies: replies ?? null,
          evidenceBudgets,
          onStep,
        }),
      );
    }
    replayed.push({ name: definition.name, replays });
  }
  return replayed;
}

/** Writes what was asked and what came back to an audit file. */
export function saveAudit(path: string, { report, records }: Evaluation): Promise<void> {
  const { dataset, seed, commit, version, embedder, parameters, replies } = report;
  const format = "mnemosyne-audit-1";
  const used = replies === undefined ? {} : { replies };
  const header: AuditHeader = { format, dataset, seed, commit, version, embedder, parameters, ...used };
  return writeAudit(path, header, records);
}

/** The data set with only one of its groups. */
export function selectGroup(dataset: Dataset, id: string): Dataset {
  const groups = dataset.groups.filter((group) => group.id === id);
  if (groups.length > 0) return { ...dataset, groups };
  const known = dataset.groups.map((group) => group.id).join(", ");
  throw new InputError("option_invalid", `the data has no "${id}"; use one of: ${known}`);
}
