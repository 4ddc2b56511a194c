/** J-scores per system and judge, over all questions and by kind, each with its Wilson interval. */
import { isAnswerable, judgeNames } from "./answer-prompts.js";
import type { AuditRecord, Verdict } from "../report/audit.js";
import type { Interval } from "../report/bootstrap.js";
import { isMajorityCorrect, parseVerdict } from "./judge.js";
import { wilsonInterval } from "../study/wilson.js";

export interface JudgmentSummary {
  readonly system: string;
  readonly judge: string;
  readonly all: JScore;
  /** Without questions whose correct answer is that it was not said; published J-scores leave those out. */
  readonly answerable: JScore;
  readonly byKind: Readonly<Record<string, JScore>>;
  readonly voteCount: number;
  /** Unreadable votes; they count as "not correct". */
  readonly unparsableVoteCount: number;
  /** Questions on which the votes differ. */
  readonly splitCount: number;
  /** Questions without a verdict of this judge; no score includes them. */
  readonly unjudgedCount: number;
}

export interface JScore {
  readonly correctCount: number;
  readonly count: number;
  /** Null if there are no questions. */
  readonly score: number | null;
  readonly interval: Interval;
}

interface Judged {
  readonly record: AuditRecord;
  readonly votes: readonly Verdict[];
}

export function summarizeJudgments(records: readonly AuditRecord[]): JudgmentSummary[] {
  const systems = [...new Set(records.map(({ system }) => system))];
  const used = new Set(records.flatMap(({ verdicts = [] }) => verdicts.map(({ judge }) => judge)));
  const judges = [...new Set([...judgeNames.filter((name) => used.has(name)), ...used])];
  return systems.flatMap((system) => {
    const own = records.filter((record) => record.system === system);
    return judges.map((judge) => summarize(system, judge, own));
  });
}

function summarize(system: string, judge: string, records: readonly AuditRecord[]): JudgmentSummary {
  const judged = records
    .map((record) => ({ record, votes: (record.verdicts ?? []).filter((verdict) => verdict.judge === judge) }))
    .filter(({ votes }) => votes.length > 0);
  const kinds = [...new Set(judged.map(({ record }) => record.kind))].sort();
  const votes = judged.flatMap((item) => item.votes);
  return {
    system,
    judge,
    all: scoreOf(judged),
    answerable: scoreOf(judged.filter(({ record }) => isAnswerable(record))),
    byKind: Object.fromEntries(
      kinds.map((kind) => [kind, scoreOf(judged.filter(({ record }) => record.kind === kind))]),
    ),
    voteCount: votes.length,
    unparsableVoteCount: votes.filter(({ reply }) => parseVerdict(reply) === null).length,
    splitCount: judged.filter((item) => new Set(item.votes.map(({ correct }) => correct)).size > 1).length,
    unjudgedCount: records.length - judged.length,
  };
}

function scoreOf(judged: readonly Judged[]): JScore {
  const count = judged.length;
  const correctCount = judged.filter(({ votes }) => isMajorityCorrect(votes)).length;
  return {
    correctCount,
    count,
    score: count === 0 ? null : correctCount / count,
    interval: wilsonInterval(correctCount, count),
  };
}
