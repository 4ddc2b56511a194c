/** Answers and verdicts of language models for an audit file: collected, summarized and printed. */
import type { JScore, JudgmentSummary } from "../judging/judgment-summary.js";
import type { JudgingFailure } from "../judging/judging-run.js";
import { ModelError } from "mnemosyne-edge";
import { type JudgeSettings, createModels } from "./judge-settings.js";
import { formatFoldedTable, formatTable, wrap } from "mnemosyne-edge-server/internal/cli/layout.js";
import { colours, heading } from "mnemosyne-edge-server/internal/cli/paint.js";
import { type Progress, countOf, formatPercent, print, startProgress } from "mnemosyne-edge-server/internal/cli/terminal.js";

export interface JudgmentReport {
  readonly dataset: string;
  readonly seed: number;
  readonly commit: string | null;
  readonly answerModel: string;
  readonly judgeModel: string;
  /** The audit file with all answers and verdicts. */
  readonly file: string;
  /** The field of the --json output, in its original spelling. */
  readonly judgments: readonly JudgmentSummary[];
  readonly failures: readonly JudgingFailure[];
}

/** Called before an evaluation that takes minutes, not after it. */
export async function checkJudgeSettings(settings: JudgeSettings): Promise<void> {
  const { checkVoters } = await import("../judging/judging-run.js");
  checkVoters(createModels(settings).voters);
}

/** Answers and judges the questions of an audit file; writes each result to `outPath` as it arrives. */
export async function judgeAndSummarize(
  auditPath: string,
  outPath: string,
  settings: JudgeSettings,
  choice: { readonly systems?: readonly string[]; readonly questionCountMax?: number } = {},
): Promise<JudgmentReport> {
  const models = createModels(settings);
  const { judgeAudit } = await import("../judging/judging-run.js");
  const { summarizeJudgments } = await import("../judging/judgment-summary.js");
  const { judges, concurrency } = settings;
  let progress: Progress | undefined;
  const onProgress = (done: number, total: number): void => {
    progress ??= startProgress("judging", total);
    progress.update(done);
  };
  try {
    const options = { auditPath, outPath, ...models, judges, concurrency, ...choice, onProgress };
    const { header, records, failures } = await judgeAudit(options);
    const { dataset, seed, commit, answerModel, judgeModel } = header;
    const judgments = summarizeJudgments(records);
    return { dataset, seed, commit, answerModel, judgeModel, file: outPath, judgments, failures };
  } finally {
    progress?.stop();
  }
}

export function printJudgments({ answerModel, judgeModel, file, judgments }: JudgmentReport): void {
  print(`${heading("J-score")}  % of questions answered correctly`);
  const rows = judgments.map(({ system, judge, all, answerable, ...counts }) => [
    system,
    judge,
    String(all.count),
    formatScore(all),
    formatScore(answerable),
    String(counts.splitCount),
    `${counts.unparsableVoteCount} of ${counts.voteCount}`,
    String(counts.unjudgedCount),
  ]);
  const header = ["system", "judge", "questions", "all", "answerable", "split", "unparsable votes", "unjudged"];
  print(`\n${formatFoldedTable(header, rows, 2)}`);
  print(`\n${heading("J-score by kind")}`);
  print(`\n${formatTable(["system", "judge", "kind", "questions", "%"], judgments.flatMap(kindRows))}`);
  print();
  print(colours.dim(wrap(`Answered by ${answerModel}, judged by ${judgeModel}; 95 % Wilson intervals in brackets.`)));
  print(colours.dim(wrap(`Every answer and verdict is in ${file}.`)));
}

function kindRows({ system, judge, byKind }: JudgmentSummary): string[][] {
  return Object.entries(byKind).map(([kind, score]) => [system, judge, kind, String(score.count), formatScore(score)]);
}

function formatScore({ score, interval }: JScore): string {
  return score === null ? "-" : `${formatPercent(score)} [${interval.map(formatPercent).join(", ")}]`;
}

/** Scores over some of the questions must not look like scores over all. */
export async function requireComplete({ failures, file }: JudgmentReport): Promise<void> {
  const [first] = failures;
  if (first === undefined) return;
  const { system, questionId, message } = first;
  const { endSentence } = await import("../judging/judging-run.js");
  const count = `${countOf(failures.length, "question")} could not be judged`;
  throw new ModelError(
    "language_model_failed",
    `${count}, the first being ${questionId} of ${system}: ${endSentence(message)} The rest is in ${file}; run the command again to retry.`,
  );
}
