/**
 * The audit file: every question to every system, with what came back, one JSON object per line after a header. All figures
 * of a report can be computed from it by hand.
 */
import { InputError } from "mnemosyne-edge";
import { JsonReader } from "../data/json-reader.js";
import { readWhole, writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";

/** One question to one system: everything needed to check the figures by hand. */
export interface AuditRecord {
  readonly system: string;
  /** The journey, conversation or chat the question belongs to. */
  readonly group: string;
  readonly questionId: string;
  readonly question: string;
  /** Kind, or category name (LoCoMo). */
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
  /** Version of the package. */
  readonly version?: string;
  readonly embedder?: string;
  /** Parameters that the caller set, on top of the presets. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** File of recorded replies that stood in for a language model. */
  readonly replies?: string;
  /** The models that answered and judged, once that is done. */
  readonly answerModel?: string;
  readonly judgeModel?: string;
  /** Names of the judge prompts. */
  readonly judges?: readonly string[];
  /** Votes per judge and answer. */
  readonly votes?: number;
  readonly temperatures?: Temperatures;
}

/** Temperatures of the models. */
export interface Temperatures {
  readonly answer: number;
  readonly judge: number;
}

export function writeAudit(path: string, header: AuditHeader, records: readonly AuditRecord[]): Promise<void> {
  function* lines(): Generator<string> {
    yield `${JSON.stringify(header)}\n`;
    for (const record of records) yield `${JSON.stringify(record)}\n`;
  }
  return writeWhole(path, lines());
}

export async function readAudit(path: string): Promise<{ header: AuditHeader; records: AuditRecord[] }> {
  const lines = (await readWhole(path))
    .split("\n")
    .map((line, i) => ({ line, where: `${path}, line ${i + 1}` }))
    .filter(({ line }) => line.trim() !== "");
  const [first, ...rest] = lines.map(({ line, where }) => JsonReader.parse(where, line));
  if (first === undefined) throw new InputError("dataset_invalid", `${path} is empty; it is not an audit file`);
  return { header: readHeader(first), records: rest.map(readRecord) };
}

/** Identifies the question and the system of a record. */
export function keyOf({ system, group, questionId }: AuditRecord): string {
  return JSON.stringify([system, group, questionId]);
}

/** Refuses records in which a system answers the same question twice. */
export function checkDistinct(records: readonly AuditRecord[]): void {
  const seen = new Set<string>();
  for (const record of records) {
    const { system, group, questionId } = record;
    if (seen.has(keyOf(record))) {
      throw new InputError("dataset_invalid", `the audit has question ${questionId} of ${group} twice for ${system}`);
    }
    seen.add(keyOf(record));
  }
}

function readHeader(line: JsonReader): AuditHeader {
  return {
    format: line.field("format").oneOf(["mnemosyne-audit-1"]),
    dataset: line.field("dataset").text(),
    seed: line.field("seed").number(),
    commit: line.field("commit").textOrNull(),
    ...readOptional(line, "version", (field) => field.text()),
    ...readOptional(line, "embedder", (field) => field.text()),
    ...readOptional(line, "parameters", readNumbers),
    ...readOptional(line, "replies", (field) => field.text()),
    ...readOptional(line, "answerModel", (field) => field.text()),
    ...readOptional(line, "judgeModel", (field) => field.text()),
    ...readOptional(line, "judges", (field) => field.texts()),
    ...readOptional(line, "votes", (field) => field.number()),
    ...readOptional(line, "temperatures", readTemperatures),
  };
}

/** An object with the one field, or an empty one if it is missing. */
function readOptional<Name extends string, Value>(
  line: JsonReader,
  name: Name,
  read: (field: JsonReader) => Value,
): { readonly [Key in Name]?: Value } {
  const field = line.field(name);
  return field.isMissing() ? {} : ({ [name]: read(field) } as { readonly [Key in Name]: Value });
}

function readTemperatures(object: JsonReader): Temperatures {
  return { answer: object.field("answer").number(), judge: object.field("judge").number() };
}

function readNumbers(object: JsonReader): Record<string, number> {
  return Object.fromEntries(object.names().map((name) => [name, object.field(name).number()]));
}

function readRecord(line: JsonReader): AuditRecord {
  return {
    system: line.field("system").text(),
    group: line.field("group").text(),
    questionId: line.field("questionId").text(),
    question: line.field("question").text(),
    kind: line.field("kind").text(),
    at: readMoment(line.field("at")),
    gold: line.field("gold").texts(),
    goldAnswer: line.field("goldAnswer").textOrNull(),
    ranked: line.field("ranked").texts(),
    context: line.field("context").anyText(),
    contextTokens: line.field("contextTokens").number(),
    ...readOptional(line, "answer", (field) => field.anyText()),
    ...readOptional(line, "verdicts", (field) => field.items().map(readVerdict)),
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
