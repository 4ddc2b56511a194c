/** Judges what people say to a memory, a sentence or a few at a time. All verdicts are probabilities. */
export interface Judge {
  /** Named in traces. */
  readonly name: string;
  /** What runs it, in words for people. */
  readonly runtime?: string;
  /** For each text: that it tells something worth remembering. */
  substance(texts: readonly string[]): Promise<number[]>;
  /** For each pair: what the newer text is to the older one. */
  relation(pairs: readonly JudgedPair[]): Promise<Relation[]>;
  /** For each statement: that it answers the question. */
  relevance(question: string, statements: readonly string[]): Promise<number[]>;
  /** For each statement: that it is passing, or lasts and belongs to an area of life. Without it examples decide. */
  areas?(statements: readonly string[]): Promise<AreaShares[]>;
  close(): Promise<void>;
}

/** Areas of a life in which something can last, and what does not. */
export type LifeArea =
  | "self"
  | "people"
  | "home"
  | "work"
  | "alert"
  | "health"
  | "medicine"
  | "carers"
  | "help"
  | "abilities"
  | "food"
  | "habits"
  | "manner"
  | "plans"
  | "worries"
  | "codes";

/** They add up to 1. */
export type AreaShares = Readonly<Record<"passing" | LifeArea, number>>;

export interface JudgedPair {
  readonly older: string;
  readonly newer: string;
}

/** The three add up to 1. */
export interface Relation {
  /** It says the same again. */
  readonly repetition: number;
  /** It makes the older one no longer true. */
  readonly update: number;
  /** Both are true. */
  readonly different: number;
}
