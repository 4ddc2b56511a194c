/** Core: what lasts in somebody's life is in the core summary, and nothing that no longer holds is stated as if it did. */
import type { CorePerson, KeyedFact } from "../data/trust.js";
import { ratio } from "../report/filter-scores.js";
import { type PartDefinition, type TrustVerdict, share } from "./trust-part.js";
import { type TrustPerson, userTurn } from "./trust-system.js";

interface CoreVerdict extends TrustVerdict {
  readonly mustKnow: readonly (KeyedFact & { readonly isSaid: boolean })[];
  /** With the line that states it; null if none does. */
  readonly mustNotSay: readonly (KeyedFact & { readonly line: string | null })[];
  readonly wordCount: number;
  readonly text: string;
}

const dayMs = 86_400_000;

/** Words of a line that tells of something that is over. */
const ended =
  /until|no longer|not any ?more|used to|formerly|previously|before|stopped|instead of|moved (?:from|away)|was\b|were\b|\bleft\b|\bquit\b/u;

export const corePart: PartDefinition<CorePerson, CoreVerdict> = {
  name: "core",
  needs: ({ profile }) => ({ profile, coreSummary: true }),
  measure: async (item, person) => [await judgeCore(item, person)],
  score: (verdicts) => {
    const known = verdicts.flatMap(({ mustKnow }) => mustKnow);
    const outdated = verdicts.flatMap(({ mustNotSay }) => mustNotSay);
    const wordCount = verdicts.reduce((sum, verdict) => sum + verdict.wordCount, 0);
    return {
      mustKnow: share(known, ({ isSaid }) => isSaid),
      outdatedSaid: share(outdated, ({ line }) => line !== null),
      words: ratio(wordCount, verdicts.length),
    };
  },
};

/** Its summary is read a day after the last statement. */
async function judgeCore(item: CorePerson, person: TrustPerson): Promise<CoreVerdict> {
  for (const { id, atMs, text } of item.statements) await person.commit({ id, atMs, turns: userTurn(text) });
  const text = await person.coreSummary!(item.statements.at(-1)!.atMs + dayMs);
  const mustKnow = item.mustKnow.map((fact) => ({ ...fact, isSaid: speaksOf(text, fact) }));
  const mustNotSay = item.mustNotSay.map((fact) => ({ ...fact, line: findStatement(text, fact) }));
  const problems = [
    ...mustKnow.filter(({ isSaid }) => !isSaid).map(({ fact }) => `it does not say: ${fact}`),
    ...mustNotSay.filter(({ line }) => line !== null).map(({ fact }) => `it says what no longer holds: ${fact}`),
  ];
  return { id: item.id, problems, mustKnow, mustNotSay, wordCount: text.split(/\s+/u).length, text };
}

function speaksOf(text: string, { keywords }: KeyedFact): boolean {
  return keywords.some((keyword) => text.toLowerCase().includes(keyword.toLowerCase()));
}

/** The line that states a fact as if it held. */
function findStatement(text: string, fact: KeyedFact): string | null {
  return text.split("\n").find((line) => speaksOf(line, fact) && !ended.test(line.toLowerCase())) ?? null;
}
