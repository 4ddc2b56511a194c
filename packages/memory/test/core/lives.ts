/** Somebody's memory with a reader that knows areas of a life by a word, and which statements end which. */
import type { LifeArea, MnemosyneOptions, PersonMemory, Relation, StatementPair } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedReader, lasting, surely } from "../engine/scripted-reader.js";

/** The first word found decides; what has none is passing. */
const areaWords: readonly (readonly [RegExp, LifeArea, number])[] = [
  [/allerg/iu, "alert", 0.95],
  [/\blives? in/iu, "home", 0.9],
  [/\bmg\b/iu, "medicine", 0.9],
  [/sister|brother/iu, "people", 0.85],
  [/\bwork/iu, "work", 0.9],
  [/perhaps/iu, "plans", 0.6],
  [/tea|plums/iu, "food", 0.8],
];

/** Where somebody lives changes; what is told in the same words is a repetition. */
function relate({ older, newer }: StatementPair): Relation {
  if (older === newer) return surely("repeats");
  const isHome = [older, newer].every((text) => /\blives? in/iu.test(text));
  return surely(isHome ? "ends" : "other");
}

export const areaReader = (): ScriptedReader =>
  new ScriptedReader({
    relate,
    read: (statement) => {
      const [, area, probability] = areaWords.find(([word]) => word.test(statement)) ?? [];
      return area === undefined ? {} : lasting(area, probability);
    },
  });

export async function openLife(options: MnemosyneOptions = {}): Promise<PersonMemory> {
  const parameters = { redundancyThreshold: 10, coreSummaryIntervalCommits: 1_000, ...options.parameters };
  return (await openMemories({ path: ":memory:", reader: areaReader(), ...options, parameters })).person("ada");
}

/** On a day of May 2025; the person tells it themselves. */
export async function tell(person: PersonMemory, id: string, text: string, day: number): Promise<void> {
  await person.commit({ id, turns: [{ who: "user", text }], at: at(day) });
  await person.settled();
}

export function at(day: number): string {
  return `2025-05-${String(day).padStart(2, "0")}T10:00:00.000Z`;
}

export const allergy = "I am allergic to penicillin.";
/** "Flat" is what they share: a shorter term, such as "live" without its ending, tells too little. */
export const graz = "I live in a flat in Graz.";
export const vienna = "I live in a flat in Vienna now.";
export const ines = "My sister Ines sings.";
