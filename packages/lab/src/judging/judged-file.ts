/**
 * The file that receives answers and verdicts as they arrive. It is itself an audit file, so that an interrupted run can
 * continue where it stopped. During a run the last line of a question counts; at the end there is one line per question.
 */
import { appendFileSync } from "node:fs";
import { readFile, truncate } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { InputError } from "mnemosyne-edge";
import { type AuditHeader, type AuditRecord, checkDistinct, keyOf, readAudit, writeAudit } from "../report/audit.js";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import { checkReplaceable } from "mnemosyne-edge/internal/files/whole-file.js";

type JudgingField = "answerModel" | "judgeModel" | "judges" | "votes" | "temperatures";

export type JudgedHeader = AuditHeader & Required<Pick<AuditHeader, JudgingField>>;

export class JudgedFile {
  readonly #path: string;
  readonly #header: JudgedHeader;
  readonly #source: readonly AuditRecord[];
  readonly #records: Map<string, AuditRecord>;

  private constructor(
    path: string,
    header: JudgedHeader,
    source: readonly AuditRecord[],
    records: Map<string, AuditRecord>,
  ) {
    this.#path = path;
    this.#header = header;
    this.#source = source;
    this.#records = records;
  }

  /** `source`: the records of the audit to judge; what the file already contains must come from it. */
  static async open(path: string, header: JudgedHeader, source: readonly AuditRecord[]): Promise<JudgedFile> {
    checkDistinct(source);
    await checkReplaceable(path);
    const text = await readIfThere(path);
    if (text === "") {
      await writeAudit(path, header, []);
      return new JudgedFile(path, header, source, new Map());
    }
    checkHeader(path, text, header);
    await cutTornLine(path, text);
    const { records } = await readAudit(path);
    checkOrigin(path, records, source);
    return new JudgedFile(path, header, source, new Map(records.map((record) => [keyOf(record), record])));
  }

  /** What is known about a question so far. */
  latest(record: AuditRecord): AuditRecord {
    return this.#records.get(keyOf(record)) ?? record;
  }

  save(record: AuditRecord): void {
    if (this.#records.get(keyOf(record)) === record) return;
    this.#records.set(keyOf(record), record);
    appendFileSync(this.#path, `${JSON.stringify(record)}\n`);
  }

  /** Writes one line per question, in the order of the audit. */
  async finish(): Promise<void> {
    const records = this.#source.flatMap((record) => this.#records.get(keyOf(record)) ?? []);
    await writeAudit(this.#path, this.#header, records);
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new InputError("option_invalid", describeUnreadable(path, cause), { cause });
  }
}

/** Never touches a file of another kind, and never mixes results of different settings. */
function checkHeader(path: string, text: string, header: JudgedHeader): void {
  const found = parseHeader(text.split("\n", 1)[0]!);
  if (found?.["format"] !== header.format) {
    throw new InputError("option_invalid", `${path} exists and is not an audit file; write to another file`);
  }
  const wanted: Readonly<Record<string, unknown>> = { ...header };
  for (const field of new Set([...Object.keys(header), ...Object.keys(found)])) {
    const [was, is] = [found[field] ?? null, wanted[field] ?? null];
    if (isDeepStrictEqual(was, is)) continue;
    throw new InputError(
      "option_invalid",
      `${path} was started with ${field} ${JSON.stringify(was)} instead of ${JSON.stringify(is)}; write to another file`,
    );
  }
}

function parseHeader(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

/** A process that is killed while writing leaves an incomplete line. */
async function cutTornLine(path: string, text: string): Promise<void> {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole === "" || whole.length === text.length) return;
  await truncate(path, Buffer.byteLength(whole));
}

function checkOrigin(path: string, records: readonly AuditRecord[], source: readonly AuditRecord[]): void {
  const byKey = new Map(source.map((record) => [keyOf(record), record]));
  for (const record of records) {
    const { question, context, goldAnswer } = record;
    const origin = byKey.get(keyOf(record));
    if (origin?.question === question && origin.context === context && origin.goldAnswer === goldAnswer) continue;
    throw new InputError(
      "option_invalid",
      `${path} was started from another audit (question ${record.questionId} of ${record.system} differs); write to another file`,
    );
  }
}
