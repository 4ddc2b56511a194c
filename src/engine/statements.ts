/**
 * Single statements of an interaction (design: several cues per memory): the sentences that were said, or those of the
 * summary where only a summary was handed in. They carry the details a summary drops.
 */
import { type TermStatistics, rarity } from "../core/keywords.js";
import { splitSentences } from "../core/sentences.js";
import { splitTerms, splitWords } from "../core/words.js";
import type { Interaction } from "../ports/store.js";

export interface Statement {
  /** Who said it; null for a sentence of a summary. */
  readonly who: string | null;
  readonly text: string;
}

/** Sentences of one interaction that are looked at; a longer one is sampled evenly. */
const statementCountLimit = 64;
const wordCountMin = 3;

export function splitStatements({ turns, summary }: Pick<Interaction, "turns" | "summary">): Statement[] {
  const said: Statement[] = turns.flatMap(({ who, text }) =>
    splitSentences(text).map((sentence) => ({ who, text: sentence })),
  );
  const summarized = splitSentences(summary ?? "").map((text) => ({ who: null, text }));
  return sampleEvenly(said.length > 0 ? said : summarized, statementCountLimit);
}

/** The statements worth a vector of their own: the most telling ones, in the order they were said. */
export function selectStatements<S extends Statement>(
  statements: readonly S[],
  statistics: TermStatistics,
  countMax: number,
): S[] {
  const unique = statements.filter(
    ({ text }, i) =>
      splitWords(text).length >= wordCountMin && statements.findIndex((other) => other.text === text) === i,
  );
  const mostTellingFirst = unique
    .map((statement) => ({ statement, weight: weigh(statement.text, statistics) }))
    .sort((x, y) => y.weight - x.weight || (x.statement.text < y.statement.text ? -1 : 1));
  const telling = new Set(mostTellingFirst.slice(0, countMax).map(({ statement }) => statement));
  return unique.filter((statement) => telling.has(statement));
}

/** How much a sentence tells: the summed rarity of its terms, with diminishing returns for length. */
function weigh(sentence: string, statistics: TermStatistics): number {
  const terms = new Set(splitTerms(sentence));
  let sum = 0;
  for (const term of terms) sum += rarity(term, statistics);
  return sum / Math.sqrt(Math.max(4, terms.size));
}

function sampleEvenly<Item>(items: readonly Item[], countMax: number): Item[] {
  if (items.length <= countMax) return [...items];
  return Array.from({ length: countMax }, (_, i) => items[Math.floor((i * items.length) / countMax)]!);
}
