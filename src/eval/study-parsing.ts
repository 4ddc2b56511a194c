/** Reading keys and judgments. Nothing of them is believed: an InputError names the file and the field. */
import { InputError } from "../index.js";
import type { Choice, IdenticalPair, Judgment, JudgmentSheet, Show, StudyKey, StudyKeyItem } from "./study-format.js";
import { hashKey } from "./study-pack.js";

type Fields = Readonly<Record<string, unknown>>;

export function parseStudyKey(text: string, file: string): StudyKey {
  const fields = parseObject(text, file);
  const { format, show, seed } = fields;
  if (format !== "mnemosyne-study-key-1") refuse(file, "format", '"mnemosyne-study-key-1"', format);
  if (show !== "answers" && show !== "context") refuse(file, "show", '"answers" or "context"', show);
  if (typeof seed !== "number") refuse(file, "seed", "a number", seed);
  const key: StudyKey = {
    format: "mnemosyne-study-key-1",
    pack: readText(fields, "pack", file),
    texts: readText(fields, "texts", file),
    dataset: readText(fields, "dataset", file),
    seed: seed as number,
    show: show as Show,
    systems: readList(fields, "systems", file).map((system, i) => asText(system, `systems[${i}]`, file)),
    items: readList(fields, "items", file).map((item, i) => readKeyItem(item, `items[${i}]`, file)),
    identical: readList(fields, "identical", file).map((pair, i) => readIdentical(pair, `identical[${i}]`, file)),
  };
  if (hashKey(key) !== key.pack) {
    throw new InputError("import_invalid", `${file} was changed after it was made: its hash is not ${key.pack}`);
  }
  return key;
}

/** The judgments of one file; refused when they are of another pack than the key. */
export function parseJudgments(text: string, file: string, key: StudyKey): JudgmentSheet {
  const fields = parseObject(text, file);
  const { format, pack } = fields;
  if (format !== "study-judgments-1") refuse(file, "format", '"study-judgments-1"', format);
  if (pack !== key.pack) {
    throw new InputError(
      "import_invalid",
      `${file} judges another page than the key is of: pack should be ${key.pack} but is ${shown(pack)}`,
    );
  }
  const itemIds = new Set(key.items.map(({ id }) => id));
  const judgments = readList(fields, "judgments", file).map((judgment, i) =>
    readJudgment(judgment, `judgments[${i}]`, file, itemIds),
  );
  return {
    format: "study-judgments-1",
    pack: key.pack,
    sheet: readText(fields, "sheet", file),
    judge: readText(fields, "judge", file),
    judgments,
  };
}

const choices: ReadonlySet<unknown> = new Set<Choice>(["left", "right", "tie"]);

/** Takes the item out of those that may still be judged. */
function readJudgment(value: unknown, place: string, file: string, open: Set<string>): Judgment {
  const fields = asObject(value, place, file);
  const { choice, note } = fields;
  const item = asText(fields["item"], `${place}.item`, file);
  if (!open.delete(item)) refuse(file, `${place}.item`, "an item of the key, each once", item);
  if (!choices.has(choice)) refuse(file, `${place}.choice`, '"left", "right" or "tie"', choice);
  const judged = { item, choice: choice as Choice };
  return note === undefined ? judged : { ...judged, note: asText(note, `${place}.note`, file) };
}

function readKeyItem(value: unknown, place: string, file: string): StudyKeyItem {
  const fields = asObject(value, place, file);
  const read = (name: keyof StudyKeyItem): string => asText(fields[name], `${place}.${name}`, file);
  const [id, group, questionId, kind] = [read("id"), read("group"), read("questionId"), read("kind")];
  return { id, group, questionId, kind, left: read("left"), right: read("right") };
}

function readIdentical(value: unknown, place: string, file: string): IdenticalPair {
  const fields = asObject(value, place, file);
  const [a, b] = readList(fields, "systems", file, place).map((system) => asText(system, `${place}.systems`, file));
  if (a === undefined || b === undefined) return refuse(file, `${place}.systems`, "two systems", fields["systems"]);
  return {
    group: asText(fields["group"], `${place}.group`, file),
    questionId: asText(fields["questionId"], `${place}.questionId`, file),
    systems: [a, b],
  };
}

function parseObject(text: string, file: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError("import_invalid", `${file} is not JSON (${(cause as Error).message})`, { cause });
  }
  return asObject(value, "the whole", file);
}

function readText(fields: Fields, name: string, file: string): string {
  return asText(fields[name], name, file);
}

function readList(fields: Fields, name: string, file: string, place?: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : refuse(file, place === undefined ? name : `${place}.${name}`, "a list", value);
}

function asText(value: unknown, place: string, file: string): string {
  return typeof value === "string" ? value : refuse(file, place, "a text", value);
}

function asObject(value: unknown, place: string, file: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  return refuse(file, place, "an object", value);
}

function refuse(file: string, place: string, wanted: string, found: unknown): never {
  throw new InputError("import_invalid", `${file}: ${place} should be ${wanted} but is ${shown(found)}`);
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 80);
}
