/**
 * The audit file of an evaluation, as JSON Lines: a header, then one line per question and system with everything that
 * is needed to check the figures by hand.
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
  try {
    await writeFile(path, lines.join(""));
  } catch (cause) {
    throw new InputError("option_invalid", `audit file ${path} cannot be written: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Nothing of the file is believed: an InputError names file, line and field. */
export async function readAudit(path: string): Promise<{ header: AuditHeader; records: AuditRecord[] }> {
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new InputError("import_invalid", `audit file ${path} cannot be read: ${cause.message}`, { cause });
  });
  const lines = text.split("\n").map((line, i) => ({ line, place: `${path}, line ${i + 1}` }));
  const [first, ...rest] = lines.filter(({ line }) => line.trim() !== "");
  if (first === undefined) throw new InputError("import_invalid", `${path} is empty; it should be an audit file`);
  const header = parseObject(first.line, first.place);
  check(header, headerFields, first.place);
  const records = rest.map(({ line, place }) => {
    const record = parseObject(line, place);
    check(record, recordFields, place);
    return record as unknown as AuditRecord;
  });
  return { header: header as unknown as AuditHeader, records };
}

type Fields = Readonly<Record<string, { readonly test: (value: unknown) => boolean; readonly wanted: string }>>;

const isText = (value: unknown): boolean => typeof value === "string";
const text = { test: isText, wanted: "a text" };
const textOrNull = { test: (value: unknown) => value === null || isText(value), wanted: "a text or null" };
const texts = { test: (value: unknown) => Array.isArray(value) && value.every(isText), wanted: "a list of texts" };
const count = { test: (value: unknown) => Number.isInteger(value) && (value as number) >= 0, wanted: "a count" };

const headerFields: Fields = {
  format: { test: (value) => value === "mnemosyne-audit-1", wanted: '"mnemosyne-audit-1"' },
  dataset: text,
  seed: { test: (value) => typeof value === "number", wanted: "a number" },
  commit: textOrNull,
};

const recordFields: Fields = {
  system: text,
  group: text,
  questionId: text,
  question: text,
  kind: text,
  at: { test: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)), wanted: "a date and time" },
  gold: texts,
  goldAnswer: textOrNull,
  ranked: texts,
  context: text,
  contextTokens: count,
  answer: { test: (value) => value === undefined || isText(value), wanted: "a text" },
  verdicts: {
    test: (value) => value === undefined || (Array.isArray(value) && value.every(isVerdict)),
    wanted: "a list of verdicts",
  },
};

function isVerdict(value: unknown): boolean {
  const { judge, correct, reply } = (value ?? {}) as Partial<Record<keyof Verdict, unknown>>;
  return isText(judge) && typeof correct === "boolean" && isText(reply);
}

function parseObject(line: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new InputError("import_invalid", `${place}: not JSON (${(cause as Error).message})`, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError("import_invalid", `${place}: not a JSON object`);
}

function check(object: Readonly<Record<string, unknown>>, fields: Fields, place: string): void {
  for (const [name, { test, wanted }] of Object.entries(fields)) {
    if (test(object[name])) continue;
    const found = object[name] === undefined ? "missing" : (JSON.stringify(object[name]) ?? "missing").slice(0, 60);
    throw new InputError("import_invalid", `${place}: ${name} should be ${wanted} but is ${found}`);
  }
}
