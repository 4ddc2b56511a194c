/**
 * The audit file: every question that was put to a system, with all that is needed to check the figures by hand. JSON
 * Lines: the first line is the header, each further line a record.
 */
import { readFile, writeFile } from "node:fs/promises";
import { InputError } from "../index.js";

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

export async function writeAudit(path: string, header: AuditHeader, records: readonly AuditRecord[]): Promise<void> {
  const lines = [header, ...records].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(path, lines.join(""));
}

export async function readAudit(path: string): Promise<{ header: AuditHeader; records: AuditRecord[] }> {
  const lines = (await readText(path)).split("\n");
  const numbered = lines.map((line, i) => [line, i + 1] as const).filter(([line]) => line.trim() !== "");
  const [first, ...rest] = numbered;
  if (first === undefined)
    throw new InputError("import_invalid", `${path} is empty; an audit file begins with a header`);
  const header = checkLine(path, first, headerFields) as unknown as AuditHeader;
  const records = rest.map((line) => checkLine(path, line, recordFields) as unknown as AuditRecord);
  return { header, records };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new InputError("import_invalid", `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

interface Check {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}
type Fields = Readonly<Record<string, Check>>;

const isText = (value: unknown): boolean => typeof value === "string";
const text: Check = { wanted: "a text", holds: isText };
const textOrNull: Check = { wanted: "a text or null", holds: (value) => value === null || isText(value) };
const texts: Check = { wanted: "a list of texts", holds: (value) => Array.isArray(value) && value.every(isText) };
const number: Check = { wanted: "a number", holds: Number.isFinite };
const time: Check = { wanted: "a time", holds: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)) };
const optionalText: Check = { wanted: "a text", holds: (value) => value === undefined || isText(value) };
const verdicts: Check = {
  wanted: "a list of verdicts { judge, correct, reply }",
  holds: (value) => value === undefined || (Array.isArray(value) && value.every(isVerdict)),
};

const headerFields: Fields = {
  format: { wanted: '"mnemosyne-audit-1"', holds: (value) => value === "mnemosyne-audit-1" },
  dataset: text,
  seed: number,
  commit: textOrNull,
};

const recordFields: Fields = {
  system: text,
  group: text,
  questionId: text,
  question: text,
  kind: text,
  at: time,
  gold: texts,
  goldAnswer: textOrNull,
  ranked: texts,
  context: text,
  contextTokens: number,
  answer: optionalText,
  verdicts,
};

function isVerdict(value: unknown): boolean {
  const { judge, correct, reply } = (value ?? {}) as Record<string, unknown>;
  return isText(judge) && typeof correct === "boolean" && isText(reply);
}

function checkLine(path: string, [line, number]: readonly [string, number], fields: Fields): Record<string, unknown> {
  const where = `${path}, line ${number}`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new InputError("import_invalid", `${where} is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError("import_invalid", `${where} is not a JSON object`);
  }
  const object = value as Record<string, unknown>;
  for (const [field, { wanted, holds }] of Object.entries(fields)) {
    if (!holds(object[field])) throw new InputError("import_invalid", `${where}: "${field}" is not ${wanted}`);
  }
  return object;
}
