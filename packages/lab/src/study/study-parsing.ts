/** Reads keys and judgments. Nothing in them is trusted: an InputError names the file and the field. */
import { InputError } from "mnemosyne-edge";
import { JsonReader } from "../data/json-reader.js";
import type { Choice, IdenticalPair, Judgment, JudgmentSheet, Show, StudyKey, StudyKeyItem } from "./study-format.js";
import { hashKey } from "./study-pack.js";

export function parseStudyKey(text: string, file: string): StudyKey {
  const reader = JsonReader.parse(file, text);
  const key: StudyKey = {
    format: reader.field("format").oneOf(["mnemosyne-study-key-1"]),
    pack: reader.field("pack").text(),
    texts: reader.field("texts").text(),
    dataset: reader.field("dataset").text(),
    seed: reader.field("seed").number(),
    show: reader.field("show").oneOf<Show>(["answers", "context"]),
    systems: reader.field("systems").texts(),
    items: reader.field("items").items().map(readKeyItem),
    identical: reader.field("identical").items().map(readIdentical),
  };
  if (hashKey(key) !== key.pack) {
    throw new InputError("dataset_invalid", `${file} was changed after it was created: its hash is not ${key.pack}`);
  }
  return key;
}

/** The judgments of one file; refused if they belong to another pack than the key. */
export function parseJudgments(text: string, file: string, key: StudyKey): JudgmentSheet {
  const reader = JsonReader.parse(file, text);
  const format = reader.field("format").oneOf(["study-judgments-1"]);
  const pack = reader.field("pack").text();
  if (pack !== key.pack) {
    throw new InputError(
      "dataset_invalid",
      `${file} judges another page than the one of this key: its pack is "${pack}" instead of "${key.pack}"`,
    );
  }
  const open = new Set(key.items.map(({ id }) => id));
  return {
    format,
    pack,
    sheet: reader.field("sheet").text(),
    judge: reader.field("judge").anyText(),
    judgments: reader
      .field("judgments")
      .items()
      .map((judgment) => readJudgment(judgment, open)),
  };
}

/** Removes the item from those that may still be judged. */
function readJudgment(reader: JsonReader, open: Set<string>): Judgment {
  const item = reader.field("item").text();
  if (!open.delete(item)) throw reader.field("item").wrong("an item of the key, each once");
  const judged = { item, choice: reader.field("choice").oneOf<Choice>(["left", "right", "tie"]) };
  const note = reader.field("note");
  return note.isMissing() ? judged : { ...judged, note: note.anyText() };
}

function readKeyItem(reader: JsonReader): StudyKeyItem {
  const read = (name: keyof StudyKeyItem): string => reader.field(name).text();
  const [id, group, questionId, kind] = [read("id"), read("group"), read("questionId"), read("kind")];
  return { id, group, questionId, kind, left: read("left"), right: read("right") };
}

function readIdentical(reader: JsonReader): IdenticalPair {
  const [a, b] = reader.field("systems").texts();
  if (a === undefined || b === undefined) throw reader.field("systems").wrong("two systems");
  return { group: reader.field("group").text(), questionId: reader.field("questionId").text(), systems: [a, b] };
}
