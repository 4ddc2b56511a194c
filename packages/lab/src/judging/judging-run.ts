/**
 * Answers the questions of an audit file and has the answers judged. Every answer and vote is saved at once and never
 * requested again.
 */
import { resolve } from "node:path";
import { InputError, type LanguageModel, ModelError } from "mnemosyne-edge";
import type { JudgeName } from "./answer-prompts.js";
import { answerQuestion } from "./answers.js";
import { type AuditHeader, type AuditRecord, type Temperatures, readAudit } from "../report/audit.js";
import { judgeAnswer } from "./judge.js";
import { JudgedFile, type JudgedHeader } from "./judged-file.js";

export interface JudgingOptions {
  readonly auditPath: string;
  readonly outPath: string;
  readonly answerModel: LanguageModel;
  /** The models that cast the first vote, the second, …: one model with different seeds, or different models. An odd number. */
  readonly voters: readonly LanguageModel[];
  readonly judges: readonly JudgeName[];
  /** The temperatures the models were created with. */
  readonly temperatures: Temperatures;
  /** Only these systems; all by default. */
  readonly systems?: readonly string[];
  /** Only the first questions of each system; all by default. */
  readonly questionCountMax?: number;
  /** Questions processed at a time. */
  readonly concurrency: number;
  readonly onProgress?: (doneCount: number, totalCount: number) => void;
}

export interface JudgingResult {
  readonly header: JudgedHeader;
  /** The chosen questions, with answers and verdicts. */
  readonly records: readonly AuditRecord[];
  /** Questions that could not be answered or judged; the next run tries them again. */
  readonly failures: readonly JudgingFailure[];
}

export interface JudgingFailure {
  readonly system: string;
  readonly questionId: string;
  readonly message: string;
}

/** After this many failures in a row the model counts as unavailable, and the run ends. */
const failuresInRowMax = 3;

export async function judgeAudit(options: JudgingOptions): Promise<JudgingResult> {
  checkOptions(options);
  const audit = await readAudit(options.auditPath);
  const chosen = chooseRecords(audit.records, options);
  const header = judgedHeader(audit.header, options);
  const file = await JudgedFile.open(options.outPath, header, audit.records);
  try {
    const failures = await judgeAll(chosen, file, options);
    return { header, records: chosen.map((record) => file.latest(record)), failures };
  } finally {
    await file.finish();
  }
}

function judgedHeader(
  header: AuditHeader,
  { answerModel, voters, judges, temperatures }: JudgingOptions,
): JudgedHeader {
  return {
    ...header,
    answerModel: answerModel.name,
    judgeModel: [...new Set(voters.map(({ name }) => name))].join(", "),
    judges: [...judges].sort(),
    votes: voters.length,
    temperatures,
  };
}

export function checkVoters(voters: readonly LanguageModel[]): void {
  if (voters.length % 2 === 0) throw new InputError("option_invalid", `votes ${voters.length} is not an odd number`);
}

function checkOptions({ auditPath, outPath, voters, judges, concurrency }: JudgingOptions): void {
  if (resolve(auditPath) === resolve(outPath)) {
    throw new InputError("option_invalid", `${outPath} is the audit itself; write to another file`);
  }
  checkVoters(voters);
  if (judges.length === 0) throw new InputError("option_invalid", "judging needs a judge: strict or lenient");
  if (concurrency < 1) throw new InputError("option_invalid", `concurrency ${concurrency} is not above 0`);
}

function chooseRecords(
  records: readonly AuditRecord[],
  { systems, questionCountMax = Infinity }: JudgingOptions,
): AuditRecord[] {
  const known = new Set(records.map(({ system }) => system));
  const unknown = systems?.find((system) => !known.has(system));
  if (unknown !== undefined) {
    throw new InputError("option_invalid", `system "${unknown}" is not in the audit; it has ${[...known].join(", ")}`);
  }
  const counts = new Map<string, number>();
  return records.filter(({ system }) => {
    if (systems?.includes(system) === false) return false;
    const count = (counts.get(system) ?? 0) + 1;
    counts.set(system, count);
    return count <= questionCountMax;
  });
}

async function judgeAll(
  records: readonly AuditRecord[],
  file: JudgedFile,
  options: JudgingOptions,
): Promise<JudgingFailure[]> {
  const failures: JudgingFailure[] = [];
  const waiting = takeInTurn(records);
  let failuresInRow = 0;
  let doneCount = 0;
  const work = async (): Promise<void> => {
    for (const record of waiting) {
      try {
        if (await judgeRecord(record, file, options)) failuresInRow = 0;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        failures.push({ system: record.system, questionId: record.questionId, message: error.message });
        if (++failuresInRow >= failuresInRowMax || failures.length === records.length) {
          throw giveUp(error, options.outPath);
        }
      }
      options.onProgress?.(++doneCount, records.length);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: options.concurrency }, work));
  const broken = ends.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return failures;
}

/** A generator, unlike an array iterator, ends for all workers when one of them gives up. */
function* takeInTurn(records: readonly AuditRecord[]): Generator<AuditRecord, void> {
  yield* records;
}

function giveUp(error: ModelError, outPath: string): ModelError {
  const message = `${endSentence(error.message)} What was judged so far is in ${outPath}; run the command again to continue from there.`;
  return new ModelError("language_model_failed", message, { cause: error });
}

/** Adds a full stop, unless the text already ends with a punctuation mark. */
export function endSentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** Saves whatever succeeded before a failure. Returns whether there was anything to ask. */
async function judgeRecord(
  record: AuditRecord,
  file: JudgedFile,
  { answerModel, voters, judges }: JudgingOptions,
): Promise<boolean> {
  const before = file.latest(record);
  let current = before;
  try {
    const answer = current.answer ?? (await answerQuestion(record, answerModel));
    current = current.answer === undefined ? { ...current, answer } : current;
    for (const judge of judges) {
      const castCount = (current.verdicts ?? []).filter((verdict) => verdict.judge === judge).length;
      for (const voter of voters.slice(castCount)) {
        const verdict = await judgeAnswer(record, answer, judge, voter);
        current = { ...current, verdicts: [...(current.verdicts ?? []), verdict] };
      }
    }
  } finally {
    if (current.answer !== undefined) file.save(current);
  }
  return current !== before;
}
