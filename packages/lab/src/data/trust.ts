/** The trust data: one JSON file per part, as `benchmarks/trust/README.md` describes them. */
import { join } from "node:path";
import type { Turn } from "mnemosyne-edge";
import { checkUnique } from "./dataset.js";
import { JsonReader } from "./json-reader.js";

export interface SubstanceItem {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** Whether anything in it is worth remembering. */
  readonly keep: boolean;
  readonly why: string;
}

export interface PairItem {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly daysApart: number;
  readonly relation: Relation;
}

export const relations = ["repetition", "update", "different"] as const;
/** Of what was said second to what was said first. */
export type Relation = (typeof relations)[number];

/** What somebody said over some months, and questions about it. */
export interface Story<Question extends StoryQuestion> {
  readonly id: string;
  readonly statements: readonly Statement[];
  readonly questions: readonly Question[];
}

export interface Statement {
  readonly id: string;
  readonly atMs: number;
  readonly text: string;
}

interface StoryQuestion {
  readonly atMs: number;
  readonly text: string;
}

export interface CorrectionQuestion extends StoryQuestion {
  readonly about: "present" | "past";
  /** Statements that answer it. */
  readonly current: readonly string[];
  /** Statements about the same thing that do not hold at the time that is asked about. */
  readonly outdated: readonly string[];
  readonly answer: string;
}

/** What somebody said over some months, and what a core summary of it has to say. */
export interface CorePerson {
  readonly id: string;
  readonly profile: CoreProfile;
  readonly statements: readonly Statement[];
  /** What holds at the end. */
  readonly mustKnow: readonly KeyedFact[];
  /** What no longer holds at the end. */
  readonly mustNotSay: readonly KeyedFact[];
}

const coreProfiles = ["general", "healthcare"] as const;
type CoreProfile = (typeof coreProfiles)[number];

export interface KeyedFact {
  readonly fact: string;
  /** A text with any of them speaks of it. */
  readonly keywords: readonly string[];
}

export interface AnswerableQuestion extends StoryQuestion {
  readonly isAnswerable: boolean;
  /** Statements that answer it; empty if none does. */
  readonly gold: readonly string[];
}

export function readSubstance(folder: string): Promise<SubstanceItem[]> {
  return readItems(folder, "substance", (item, id) => ({
    id,
    turns: readList(item.field("turns"), (turn) => ({
      who: turn.field("who").text(),
      text: turn.field("text").text(),
    })),
    keep: item.field("keep").boolean(),
    why: item.field("why").text(),
  }));
}

export function readPairs(folder: string): Promise<PairItem[]> {
  return readItems(folder, "pairs", (item, id) => ({
    id,
    first: item.field("first").text(),
    second: item.field("second").text(),
    daysApart: item.field("daysApart").number(),
    relation: item.field("relation").oneOf(relations),
  }));
}

export function readCorrections(folder: string): Promise<Story<CorrectionQuestion>[]> {
  return readStories(folder, "corrections", (question, statements) => ({
    ...readAsked(question),
    about: question.field("about").oneOf(["present", "past"]),
    current: readList(question.field("current"), (index) => readStatementId(index, statements)),
    outdated: question
      .field("outdated")
      .items()
      .map((index) => readStatementId(index, statements)),
    answer: question.field("answer").text(),
  }));
}

export function readUnanswerable(folder: string): Promise<Story<AnswerableQuestion>[]> {
  return readStories(folder, "unanswerable", (question, statements) => {
    const isAnswerable = question.field("answerable").boolean();
    const gold = question.field("gold");
    const ids = gold.items().map((index) => readStatementId(index, statements));
    if (isAnswerable !== ids.length > 0)
      throw gold.error("must name a statement if the question is answerable, or none");
    return { ...readAsked(question), isAnswerable, gold: ids };
  });
}

export function readCore(folder: string): Promise<CorePerson[]> {
  return readItems(folder, "core", (item, id) => ({
    id,
    profile: item.field("profile").oneOf(coreProfiles),
    statements: readList(item.field("statements"), readStatement),
    mustKnow: readList(item.field("mustKnow"), readKeyedFact),
    mustNotSay: item.field("mustNotSay").items().map(readKeyedFact),
  }));
}

function readKeyedFact(item: JsonReader): KeyedFact {
  return { fact: item.field("fact").text(), keywords: readList(item.field("keywords"), (keyword) => keyword.text()) };
}

async function readItems<Item>(
  folder: string,
  part: string,
  read: (item: JsonReader, id: string) => Item,
): Promise<Item[]> {
  const ids = new Set<string>();
  return readList(await JsonReader.open(join(folder, `${part}.json`)), (item) => {
    const id = item.field("id").text();
    checkUnique(id, ids, item.field("id"));
    return read(item, id);
  });
}

function readStories<Question extends StoryQuestion>(
  folder: string,
  part: string,
  read: (question: JsonReader, statements: readonly Statement[]) => Question,
): Promise<Story<Question>[]> {
  return readItems(folder, part, (item, id) => {
    const statements = readList(item.field("statements"), readStatement);
    return { id, statements, questions: readList(item.field("questions"), (question) => read(question, statements)) };
  });
}

function readStatement(item: JsonReader, index: number): Statement {
  return { id: `s${index}`, atMs: item.field("at").moment(), text: item.field("text").text() };
}

function readAsked(question: JsonReader): StoryQuestion {
  return { atMs: question.field("at").moment(), text: question.field("question").text() };
}

/** The data name statements by their index. */
function readStatementId(reader: JsonReader, statements: readonly Statement[]): string {
  const statement = statements[reader.number()];
  if (statement === undefined) throw reader.wrong(`a statement from 0 to ${statements.length - 1}`);
  return statement.id;
}

function readList<Item>(list: JsonReader, read: (item: JsonReader, index: number) => Item): Item[] {
  const items = list.items();
  if (items.length === 0) throw list.error("must not be empty");
  return items.map(read);
}
