/** Facts as a core summary puts them: short lines under their areas, with a date where the words depend on one. */
import { formatDate } from "../paper/naturalized-time.js";
import { splitWords } from "../text/words.js";
import type { LifeArea } from "../ports/judge.js";
import { lifeAreas } from "../profiles/general.js";
import type { Profile, ProfileArea } from "../profiles/profile.js";
import type { EngineContext } from "../engine/engine-context.js";
import type { CoreFact } from "./core-fact.js";

/** What the lines depend on. */
export interface LineRules {
  readonly areas: readonly ProfileArea[];
  readonly timeZone: string;
  /** Of all lines and headings. */
  readonly wordCountMax: number;
}

export function factRules({ profile, parameters, timeZone }: EngineContext): LineRules {
  return { areas: areasOf(profile), timeZone, wordCountMax: parameters.coreSummaryWordCountMax };
}

export function areasOf({ areas }: Profile): readonly ProfileArea[] {
  return areas ?? lifeAreas;
}

/** The profile's area that a fact belongs to; of a pin to one that the profile lacks, the first. Null if to none. */
export function areaOf(fact: Pick<CoreFact, "area" | "isPinned">, areas: readonly ProfileArea[]): ProfileArea | null {
  const found =
    areas.find(({ title }) => title === fact.area) ?? areas.find(({ of }) => of.includes(fact.area as LifeArea));
  return found ?? (fact.isPinned ? (areas[0] ?? null) : null);
}

/** Under the areas in their order, in the order of the facts. */
export function writeFacts(facts: readonly CoreFact[], { areas, timeZone }: Omit<LineRules, "wordCountMax">): string {
  return areas
    .flatMap((area) => {
      const own = facts.filter((fact) => areaOf(fact, areas) === area);
      return own.length === 0 ? [] : [area.title, ...own.map((fact) => `- ${writeFact(fact, timeZone)}`)];
    })
    .join("\n");
}

const months = "january|february|march|april|may|june|july|august|september|october|november|december";
/** Words whose meaning depends on the day on which they were said. */
const dayWords = new RegExp(
  `\\b(?:today|tonight|tomorrow|yesterday|this (?:morning|evening|week|month|year)|(?:next|last) (?:week|month|year|night|\\p{L}+day)|just|now|since|from \\p{L}+day|in (?:${months}))\\b`,
  "iu",
);

export function writeFact({ text, toldMs, isChange }: CoreFact, timeZone: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (!isChange && !dayWords.test(line)) return line;
  const date = formatDate(toldMs, timeZone).replace(/^\S+ /u, "");
  return isChange ? `${line} (since ${date}, not before)` : `${line} (${date})`;
}

/** As people count them, and where words are not set apart by spaces as the platform does. */
export function countLineWords(text: string): number {
  return Math.max(text.split(/\s+/u).length, splitWords(text).length);
}
