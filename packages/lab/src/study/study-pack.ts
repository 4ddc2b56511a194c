/**
 * A blind pairwise pack from an audit file (Section "Human Evaluation" of the paper): questions, each with pairs of texts of
 * two systems. Shuffling sorts by a hash of the seed and a name, so that the same audit, options and seed give the same pack
 * on every machine, regardless of the order of the lines.
 */
import { createHash } from "node:crypto";
import { InputError } from "mnemosyne-edge";
import { type AuditHeader, type AuditRecord, checkDistinct } from "../report/audit.js";
import type { IdenticalPair, Show, StudyItem, StudyKey, StudyKeyItem, StudyPack } from "./study-format.js";

export interface StudyOptions {
  readonly systems: readonly string[];
  readonly seed: number;
  /** Kinds stay in proportion; all questions by default. */
  readonly questionCountMax?: number;
  /** Per question; each pair of systems occurs equally often. */
  readonly pairCountMax: number;
  /** Answers by default, or contexts if a system has no answers. */
  readonly show?: Show;
}

export interface Study {
  readonly pack: StudyPack;
  readonly key: StudyKey;
  readonly questionCount: number;
  /** Questions left out because a system has no text for them. */
  readonly incompleteCount: number;
  /** Items in which a system's name occurs as a word, so that a judge may guess. */
  readonly nameMentionCount: number;
}

interface Question {
  readonly name: string;
  readonly record: AuditRecord;
  readonly textOf: ReadonlyMap<string, string>;
}

type Pair = readonly [string, string];

interface Comparison {
  readonly name: string;
  readonly question: Question;
  readonly pair: Pair;
}

export function planStudy(header: AuditHeader, records: readonly AuditRecord[], options: StudyOptions): Study {
  const { systems, seed } = options;
  checkSystems(systems, records);
  checkDistinct(records);
  const show = options.show ?? showByDefault(records, systems);
  const asked = collectQuestions(records, systems, show);
  const complete = asked.filter(({ textOf }) => textOf.size === systems.length);
  const questions = sampleQuestions(complete, options.questionCountMax ?? complete.length, seed);
  const comparisons = choosePairs(questions, systems, options);
  const different = comparisons.filter((comparison) => !isIdentical(comparison));
  if (different.length === 0) {
    throw new InputError("option_invalid", `no question has different ${show} from two of ${systems.join(", ")}`);
  }
  const { items, keyItems } = assignSides(different, seed);
  const identical = comparisons.filter(isIdentical).map(toIdenticalPair);
  const key = sealKey({ dataset: header.dataset, seed, show, systems, items: keyItems, identical }, items);
  return {
    pack: { pack: key.pack, show, items },
    key,
    questionCount: questions.length,
    incompleteCount: asked.length - complete.length,
    nameMentionCount: items.filter((item) => systems.some((system) => mentions(item, system))).length,
  };
}

/** The hash that a key must contain; it reveals a key that was edited by hand. */
export function hashKey({ texts, dataset, seed, show, systems, items, identical }: Omit<StudyKey, "pack">): string {
  return digest(texts, dataset, seed, show, systems, items, identical);
}

function sealKey(key: Omit<StudyKey, "format" | "pack" | "texts">, items: readonly StudyItem[]): StudyKey {
  const unsealed = { format: "mnemosyne-study-key-1", texts: digest(key.show, items), ...key } as const;
  return { ...unsealed, pack: hashKey(unsealed) };
}

function checkSystems(systems: readonly string[], records: readonly AuditRecord[]): void {
  const known = [...new Set(records.map(({ system }) => system))];
  const unknown = systems.filter((system) => !known.includes(system));
  if (unknown.length > 0) {
    throw new InputError("option_invalid", `no system ${unknown.join(", ")} in the audit; it has ${known.join(", ")}`);
  }
  if (systems.length < 2 || new Set(systems).size < systems.length) {
    throw new InputError("option_invalid", `a study compares two or more different systems, not ${systems.join(", ")}`);
  }
}

function showByDefault(records: readonly AuditRecord[], systems: readonly string[]): Show {
  const answering = new Set(records.filter(({ answer }) => answer !== undefined).map(({ system }) => system));
  return systems.every((system) => answering.has(system)) ? "answers" : "context";
}

function collectQuestions(records: readonly AuditRecord[], systems: readonly string[], show: Show): Question[] {
  const questions = new Map<string, Question & { readonly textOf: Map<string, string> }>();
  for (const record of records) {
    const { system, group, questionId } = record;
    if (!systems.includes(system)) continue;
    const name = JSON.stringify([group, questionId]);
    let question = questions.get(name);
    if (question === undefined) questions.set(name, (question = { name, record, textOf: new Map() }));
    const text = show === "answers" ? record.answer : record.context;
    if (text !== undefined) question.textOf.set(system, text);
  }
  return [...questions.values()];
}

/** The first questions when all are sorted by their relative position within their kind: each kind in proportion. */
function sampleQuestions(questions: readonly Question[], countMax: number, seed: number): Question[] {
  const kinds = new Set(questions.map(({ record }) => record.kind));
  const placed = [...kinds].flatMap((kind) => {
    const ofKind = questions.filter(({ record }) => record.kind === kind);
    return scramble(ofKind, seed, "sample").map((question, i) => ({ ...question, place: (i + 0.5) / ofKind.length }));
  });
  const sample = scramble(placed, seed, "kind")
    .sort((a, b) => a.place - b.place)
    .slice(0, countMax);
  return scramble(sample, seed, "order");
}

/** For each question, the pairs that were chosen least often so far. */
function choosePairs(
  questions: readonly Question[],
  systems: readonly string[],
  { seed, pairCountMax }: StudyOptions,
): Comparison[] {
  const uses = systems.flatMap((a, i) => systems.slice(i + 1).map((b) => ({ pair: [a, b] as const, count: 0 })));
  return questions.flatMap((question) => {
    const candidates = uses.map((use) => ({ use, question, pair: use.pair, name: nameOf(question, use.pair) }));
    const chosen = scramble(candidates, seed, "pairs")
      .sort((a, b) => a.use.count - b.use.count)
      .slice(0, pairCountMax);
    for (const { use } of chosen) use.count++;
    return scramble(chosen, seed, "order");
  });
}

function nameOf({ name }: Question, pair: Pair): string {
  return JSON.stringify([name, ...pair]);
}

function isIdentical({ question, pair }: Comparison): boolean {
  const [a, b] = pair.map((system) => question.textOf.get(system)!.replaceAll(/\s+/gu, " ").trim());
  return a === b;
}

function toIdenticalPair({ question, pair }: Comparison): IdenticalPair {
  const { group, questionId } = question.record;
  return { group, questionId, systems: pair };
}

/** Of two systems, each is on the left as often as the other, give or take one. */
function assignSides(
  comparisons: readonly Comparison[],
  seed: number,
): { items: StudyItem[]; keyItems: StudyKeyItem[] } {
  const isTurned = new Map<string, boolean>();
  const pairs = new Map(comparisons.map(({ pair }) => [JSON.stringify(pair), pair]));
  for (const [pairName] of pairs) {
    const ofPair = comparisons.filter(({ pair }) => JSON.stringify(pair) === pairName);
    const offset = Number.parseInt(digest(seed, "first side", pairName).slice(0, 2), 16);
    scramble(ofPair, seed, "sides").forEach(({ name }, i) => isTurned.set(name, (i + offset) % 2 === 1));
  }
  const keyItems: StudyKeyItem[] = [];
  const items = comparisons.map(({ name, question, pair }, i) => {
    const [left, right] = isTurned.get(name) === true ? [pair[1], pair[0]] : pair;
    const { group, questionId, kind, at } = question.record;
    const id = String(i + 1);
    keyItems.push({ id, group, questionId, kind, left, right });
    const { textOf } = question;
    return { id, question: question.record.question, at, left: textOf.get(left)!, right: textOf.get(right)! };
  });
  return { items, keyItems };
}

function mentions({ question, left, right }: StudyItem, system: string): boolean {
  const name = system.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${name}(?![\p{L}\p{N}])`, "iu").test(`${question}\n${left}\n${right}`);
}

/** Sorts by a hash: a shuffle that depends only on the names and the seed. */
function scramble<Item extends { readonly name: string }>(
  items: readonly Item[],
  seed: number,
  purpose: string,
): Item[] {
  return items
    .map((item) => ({ item, rank: digest(seed, purpose, item.name) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}

function digest(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
