/** Contexts of several systems for the same questions, in random order, for readers who do not know which is whose. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "mnemosyne-edge";
import { draw } from "../data/draw.js";
import { readJson } from "../data/files.js";
import type { Person, Question } from "../data/person.js";
import type { Models } from "../model-cache.js";
import type { Change } from "../systems/system.js";
import { systems } from "../systems/systems.js";

/** Not for readers: what each item of a packet is. */
export interface PacketItem {
  readonly id: string;
  readonly person: string;
  readonly question: string;
  readonly kind: string;
  readonly text: string;
  readonly atMs: number;
  readonly system: string;
  readonly context: string;
  /** Null if it was never told. */
  readonly answer: string | null;
  readonly needs: readonly string[];
  readonly outdated: readonly string[];
}

export const grades = ["right", "partly", "stale", "wrong", "unknown"] as const;
export const keyFile = "key.json";
const packetSize = 130;
const sheetSize = 270;

/** What a system shows for each question of a person that has an answer for graders. */
export async function collectContexts(
  person: Person,
  system: string,
  label: string,
  models: Models,
  change: Change,
): Promise<Omit<PacketItem, "id">[]> {
  const asked = person.questions.filter(({ answer }) => answer !== undefined);
  const opened = await systems[system]!(person, models, change);
  const items: Omit<PacketItem, "id">[] = [];
  try {
    for (let told = 0; told <= person.interactions.length; told++) {
      for (const question of asked.filter(({ after }) => after === told)) {
        items.push(toItem(person.id, label, question, (await opened.ask(question)).context));
      }
      if (told < person.interactions.length) await opened.tell(person.interactions[told]!);
    }
  } finally {
    await opened.close();
  }
  return items;
}

function toItem(
  person: string,
  system: string,
  { id: question, kind, text, atMs, gold, answer, needs = [], stale: outdated = [] }: Question,
  context: string,
): Omit<PacketItem, "id"> {
  const told = gold.length === 0 || answer === undefined ? null : answer;
  return { person, question, kind, text, atMs, system, context, answer: told, needs, outdated };
}

export function shuffleItems(items: readonly Omit<PacketItem, "id">[], seed: string): PacketItem[] {
  const shuffled = draw(items, items.length, `packets ${seed}`);
  return shuffled.map((item, i) => ({ id: `x${String(i).padStart(4, "0")}`, ...item }));
}

/** Texts of files by their names. */
export function writePackets(items: readonly PacketItem[]): Record<string, string> {
  return inParts(items, packetSize, "packet", ({ id, atMs, text, context }) => {
    return `##### ${id} | now: ${new Date(atMs).toUTCString()}\nQUESTION: ${text}\nCONTEXT:\n${context}\n`;
  });
}

/** Graders see the answer that is wanted, and not the system. */
export function writeSheets(
  items: readonly PacketItem[],
  answers: Readonly<Record<string, string>>,
): Record<string, string> {
  const answered = items.filter(({ id }) => Object.hasOwn(answers, id));
  return inParts(answered, sheetSize, "sheet", ({ id, kind, text, answer, needs, outdated }) => {
    const wanted = answer ?? "NEVER TOLD";
    return `${id} [${kind}] ${text}\n  WANTED: ${wanted}\n  needs: ${needs.join(" | ") || "-"}
  outdated: ${outdated.join(" | ") || "-"}\n  ANSWER: ${answers[id]}\n`;
  });
}

function inParts(
  items: readonly PacketItem[],
  size: number,
  name: string,
  write: (item: PacketItem) => string,
): Record<string, string> {
  const parts = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
  return Object.fromEntries(parts.map((part, i) => [`${name}-${i}.txt`, part.map(write).join("\n")]));
}

/** Rows of shares: each system on what was told and what never was, then by kind of question. */
export function scoreGrades(items: readonly PacketItem[], given: Readonly<Record<string, string>>): string[][] {
  const groups = new Map<string, string[]>();
  for (const { id, system, kind, answer } of items) {
    const grade = given[id];
    if (grade === undefined) continue;
    if (!grades.some((name) => name === grade)) {
      throw new InputError("dataset_invalid", `${id} has the grade "${grade}"; use one of: ${grades.join(", ")}`);
    }
    for (const row of [`${system}, ${answer === null ? "never told" : "told"}`, `${system}, kind ${kind}`]) {
      groups.set(row, [...(groups.get(row) ?? []), grade]);
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, all]) => {
      const shares = grades.map((name) => (all.filter((grade) => grade === name).length / all.length).toFixed(3));
      return [row, String(all.length), ...shares];
    });
}

export function readItems(folder: string): PacketItem[] {
  return readJson<PacketItem[]>(join(folder, keyFile));
}

/** All of a kind that people wrote into a folder: "answers-1.json", "answers-2.json". */
export function readWritten(folder: string, kind: "answers" | "grades"): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".json"));
  const parts = names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>);
  return Object.assign({}, ...parts) as Record<string, string>;
}
