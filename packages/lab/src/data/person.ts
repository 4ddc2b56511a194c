/** A data set is people: what each told, in order of time, and questions about it. */
import { InputError, type Turn } from "mnemosyne-edge";

export interface Told {
  readonly id: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
  readonly summary?: string;
  readonly state?: string;
}

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly atMs: number;
  /** How many interactions were told before it. */
  readonly after: number;
  /** Ids of the interactions that hold the answer; empty if it was never told. */
  readonly gold: readonly string[];
  /** Each is a list of texts; a context that contains all of a list has that piece of evidence. */
  readonly evidence: readonly (readonly string[])[];
  /** For readers and graders. */
  readonly answer?: string;
  readonly needs?: readonly string[];
  readonly stale?: readonly string[];
}

export interface Person {
  readonly id: string;
  readonly timeZone: string;
  readonly profile: "general" | "healthcare";
  readonly interactions: readonly Told[];
  readonly questions: readonly Question[];
}

/** Refuses a person whose questions cannot be scored: gold has to name earlier interactions. */
export function checkPerson(person: Person): Person {
  const { id, interactions, questions } = person;
  if (interactions.length === 0 || questions.length === 0) {
    throw new InputError(
      "dataset_invalid",
      `${id} has ${interactions.length} interactions and ${questions.length} questions`,
    );
  }
  const places = new Map(interactions.map((told, i) => [told.id, i]));
  if (places.size < interactions.length) throw new InputError("dataset_invalid", `${id} has an id twice`);
  for (const { id: questionId, gold, after } of questions) {
    const wrong = gold.find((goldId) => (places.get(goldId) ?? Infinity) >= after);
    if (wrong === undefined) continue;
    throw new InputError(
      "dataset_invalid",
      `${id}, question ${questionId}: gold ${wrong} is not an earlier interaction`,
    );
  }
  return person;
}

/** How many of these interactions, which are in order of time, were told before a moment. */
export function countBefore(interactions: readonly Told[], atMs: number): number {
  const index = interactions.findIndex((told) => told.atMs >= atMs);
  return index === -1 ? interactions.length : index;
}
