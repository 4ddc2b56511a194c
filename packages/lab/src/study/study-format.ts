/**
 * The files of a human study: the pack inside the page, the judgments that the page saves, and the key that stays with the
 * author of the study. Pack and judgments contain no system's name, and not even ours, because a system may have it. Types
 * only: the page's own script imports this file too.
 */

export type Show = "answers" | "context";

/** Two texts for one question, without a hint of where they come from. */
export interface StudyItem {
  readonly id: string;
  readonly question: string;
  readonly at: string;
  readonly left: string;
  readonly right: string;
}

export interface StudyPack {
  /** Hash that is also in the judgments and the key. */
  readonly pack: string;
  readonly show: Show;
  readonly items: readonly StudyItem[];
}

export type Choice = "left" | "right" | "tie";

export interface Judgment {
  readonly item: string;
  readonly choice: Choice;
  readonly note?: string;
}

/** One judge's judgments of one pack so far. */
export interface JudgmentSheet {
  readonly format: "study-judgments-1";
  readonly pack: string;
  /** Random, chosen by the page: two files with the same sheet are two states of the same judgments. */
  readonly sheet: string;
  /** Name or initials; empty if the judge gave none. */
  readonly judge: string;
  readonly judgments: readonly Judgment[];
}

export interface StudyKeyItem {
  readonly id: string;
  readonly group: string;
  readonly questionId: string;
  readonly kind: string;
  /** The systems whose texts are on the left and right. */
  readonly left: string;
  readonly right: string;
}

/** Two systems that gave the same text; nobody is asked which is better. */
export interface IdenticalPair {
  readonly group: string;
  readonly questionId: string;
  readonly systems: readonly [string, string];
}

export interface StudyKey {
  readonly format: "mnemosyne-study-key-1";
  readonly pack: string;
  /** Hash of what the judges see; `pack` is the hash of this and of the rest of the key. */
  readonly texts: string;
  readonly dataset: string;
  readonly seed: number;
  readonly show: Show;
  readonly systems: readonly string[];
  readonly items: readonly StudyKeyItem[];
  readonly identical: readonly IdenticalPair[];
}
