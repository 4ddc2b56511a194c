/**
 * Statements: single things that somebody said, each in at most 400 characters, and how they were read. A statement's place
 * is its memory and its position there. One statement may end another: that link is the only way in which anything told is
 * outdated.
 */
export interface Statement {
  /** Position of the turn; null for a sentence of a submitted summary and for one of a language model. */
  readonly turn: number | null;
  /** The speaker; null where nobody is named. */
  readonly who: string | null;
  readonly text: string;
  /** The question that it answers. */
  readonly asked: string | null;
  readonly kind: StatementKind;
  /** Null where nobody read it. */
  readonly reading: Reading | null;
}

/**
 * `said`: words of the talk. `passage`: code, tables, quotations and material of a task, which can be searched and quoted
 * and is never a fact. `written`: by a language model.
 */
export type StatementKind = "said" | "passage" | "written";
export const statementKinds: readonly StatementKind[] = ["said", "passage", "written"];

/** Areas of a life. */
export const lifeAreas = [
  "self",
  "people",
  "home",
  "work",
  "alert",
  "health",
  "medicine",
  "carers",
  "help",
  "abilities",
  "food",
  "habits",
  "manner",
  "plans",
  "worries",
  "codes",
] as const;

export type LifeArea = (typeof lifeAreas)[number];

/** Probabilities from 0 to 1. */
export interface Reading {
  /** That it states something true of a real life. */
  readonly fact: number;
  readonly about: About;
  readonly area: LifeArea;
  /** That it will still matter in months. */
  readonly lasting: number;
  /** That it can be understood alone. */
  readonly alone: number;
}

/** Whom a statement is about: the person, somebody they know, or nobody in their life. */
export type About = "self" | "other" | "nobody";
export const abouts: readonly About[] = ["self", "other", "nobody"];

/** A statement by its memory and its position there; null for all of the memory. */
export interface Place {
  readonly memory: string;
  readonly position: number | null;
}

/** A statement of the memory that has the link ends another; null where all of the memory does. */
export interface EndLink extends Place {
  readonly by: number | null;
  /** It may have: the core memory says neither that it holds nor that it ended. */
  readonly isDoubtful?: true;
}

/**
 * `pinned`: always in the core memory, in an area. `removed`: not in it. `untrue`: nowhere, because it was never so.
 * `held`: nowhere, until a wish to forget it is settled.
 */
export type MarkKind = "pinned" | "removed" | "untrue" | "held";
export const markKinds: readonly MarkKind[] = ["pinned", "removed", "untrue", "held"];

export interface Mark {
  readonly position: number | null;
  readonly kind: MarkKind;
  readonly area: string | null;
}

const factMin = 0.5;

export function isFact({ kind, reading }: Statement): boolean {
  return kind !== "passage" && reading !== null && reading.fact >= factMin;
}

/** Whether it may belong in a core memory; how sure that has to be is for the core memory to say. */
export function isLasting(statement: Statement): boolean {
  return isFact(statement) && statement.reading!.lasting >= factMin;
}

export function isWritten({ kind }: Pick<Statement, "kind">): boolean {
  return kind === "written";
}

const separator = "#";

/** How callers name a place: the id of the memory, and the position after it. */
export function nameOf({ memory, position }: Place): string {
  return position === null ? memory : `${memory}${separator}${position}`;
}

/** The place that a name may mean besides a memory of that name; null if none. */
export function placeNamed(name: string): Place | null {
  const at = name.lastIndexOf(separator);
  const digits = name.slice(at + 1);
  return at > 0 && /^\d{1,6}$/u.test(digits) ? { memory: name.slice(0, at), position: Number(digits) } : null;
}

/** The statement with the question that it answers: what is compared, embedded and read. */
export function fullText({ text, asked }: Pick<Statement, "text" | "asked">): string {
  return asked === null ? text : `${asked} ${text}`;
}

export function comparePlaces(x: Place, y: Place): number {
  if (x.memory !== y.memory) return x.memory < y.memory ? -1 : 1;
  return (x.position ?? -1) - (y.position ?? -1);
}

/** Whether the older one ended, and not only may have. */
export function isSure({ isDoubtful }: EndLink): boolean {
  return isDoubtful !== true;
}

export function compareLinks(x: EndLink, y: EndLink): number {
  return comparePlaces(x, y) || (x.by ?? -1) - (y.by ?? -1);
}

/** Several lists of links as one, sorted, each once. */
export function uniteLinks(...lists: readonly (readonly EndLink[])[]): EndLink[] {
  const sureLast = lists.flat().toSorted((x, y) => Number(y.isDoubtful ?? false) - Number(x.isDoubtful ?? false));
  const united = new Map(sureLast.map((link) => [`${link.by} ${nameOf(link)}`, link]));
  return [...united.values()].sort(compareLinks);
}

export function areEnds(value: unknown): value is EndLink[] {
  return Array.isArray(value) && value.every(isEnd);
}

function isEnd(value: unknown): boolean {
  const { memory, position, by } = (value ?? {}) as Record<keyof EndLink, unknown>;
  return typeof memory === "string" && isPosition(position) && isPosition(by);
}

export function areMarks(value: unknown): value is Mark[] {
  return Array.isArray(value) && value.every(isMark);
}

function isMark(value: unknown): boolean {
  const { position, kind, area } = (value ?? {}) as Record<keyof Mark, unknown>;
  return isPosition(position) && markKinds.includes(kind as MarkKind) && (area === null || typeof area === "string");
}

function isPosition(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** Whether a value that was read from somewhere is a statement. */
export function isStatement(value: unknown): value is Statement {
  const { turn, who, text, asked, kind, reading } = (value ?? {}) as Record<keyof Statement, unknown>;
  const areTexts = [who, asked].every((each) => each === null || typeof each === "string");
  const isKnown = typeof text === "string" && statementKinds.includes(kind as StatementKind);
  return isPosition(turn) && areTexts && isKnown && (reading === null || isReading(reading));
}

export function isReading(value: unknown): value is Reading {
  const { fact, about, area, lasting, alone } = (value ?? {}) as Record<keyof Reading, unknown>;
  const isShare = (each: unknown): boolean => typeof each === "number" && each >= 0 && each <= 1;
  return [fact, lasting, alone].every(isShare) && abouts.includes(about as About) && typeof area === "string";
}
