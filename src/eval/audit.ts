/**
 * The audit file: every question put to every system, with what came back, one JSON object a line after a header.
 * All figures of a report can be worked out from it by hand.
 */
import { readFile, rename, rm } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { InputError } from "../index.js";
import { JsonReader } from "./json-reader.js";

/** One question put to one system: everything needed to check the figures by hand. */
export interface AuditRecord {
  readonly system: string;
  /** The journey or conversation the question belongs to. */
  readonly group: string;
  readonly questionId: string;
  readonly question: string;
  /** Kind (journeys) or category name (LoCoMo). */
  readonly kind: string;
  readonly at: string;
  readonly gold: readonly string[];
  readonly goldAnswer: string | null;
  /** Ids of memories, best first. */
  readonly ranked: readonly string[];
  readonly context: string;
  readonly contextTokens: number;
  readonly answer?: string;
  readonly verdicts?: readonly Verdict[];
}

export interface Verdict {
  /** Name of the judge prompt: "strict" or "lenient". */
  readonly judge: string;
  readonly correct: boolean;
  /** The judge's reply, word for word. */
  readonly reply: string;
}

export interface AuditHeader {
  readonly format: "mnemosyne-audit-1";
  readonly dataset: string;
  readonly seed: number;
  readonly commit: string | null;
}

/** Written under another name first: an older file survives a failure. */
export async function writeAudit(path: string, header: AuditHeader, records: readonly AuditRecord[]): Promise<void> {
  const unfinished = `${path}.unfinished`;
  function* lines(): Generator<string> {
    yield `${JSON.stringify(header)}\n`;
    for (const record of records) yield `${JSON.stringify(record)}\n`;
  }
  try {
    await pipeline(lines(), createWriteStream(unfinished));
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new InputError("option_invalid", `${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

export async function readAudit(path: string): Promise<{ header: AuditHeader; records: AuditRecord[] }> {
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new InputError("dataset_invalid", `${path} cannot be read: ${cause.message}`, { cause });
  });
  const lines = text
    .split("\n")
    .map((line, i) => ({ line, where: `${path}, line ${i + 1}` }))
    .filter(({ line }) => line.trim() !== "");
  const [first, ...rest] = lines.map(({ line, where }) => JsonReader.parse(where, line));
  if (first === undefined) throw new InputError("dataset_invalid", `${path} is empty; it is no audit file`);
  return { header: readHeader(first), records: rest.map(readRecord) };
}

function readHeader(line: JsonReader): AuditHeader {
  const format = line.field("format").text();
  if (format !== "mnemosyne-audit-1") throw line.field("format").wrong('"mnemosyne-audit-1"');
  return {
    format,
    dataset: line.field("dataset").text(),
    seed: line.field("seed").number(),
    commit: line.field("commit").textOrNull(),
  };
}

function readRecord(line: JsonReader): AuditRecord {
  const texts = (name: string): string[] =>
    line
      .field(name)
      .items()
      .map((item) => item.text());
  const answer = line.field("answer");
  const verdicts = line.field("verdicts");
  return {
    system: line.field("system").text(),
    group: line.field("group").text(),
    questionId: line.field("questionId").text(),
    question: line.field("question").text(),
    kind: line.field("kind").text(),
    at: readMoment(line.field("at")),
    gold: texts("gold"),
    goldAnswer: line.field("goldAnswer").textOrNull(),
    ranked: texts("ranked"),
    context: line.field("context").anyText(),
    contextTokens: line.field("contextTokens").number(),
    ...(answer.isMissing() ? {} : { answer: answer.anyText() }),
    ...(verdicts.isMissing() ? {} : { verdicts: verdicts.items().map(readVerdict) }),
  };
}

function readMoment(reader: JsonReader): string {
  reader.moment();
  return reader.text();
}

function readVerdict(verdict: JsonReader): Verdict {
  return {
    judge: verdict.field("judge").text(),
    correct: verdict.field("correct").boolean(),
    reply: verdict.field("reply").anyText(),
  };
}
