/**
 * Statements of an interaction (design: several cues per memory). Sentences are what substance is judged by and what a
 * summary is made of; passages (a turn, or part of a long one) are what a memory keeps in addition to its summary: they
 * carry the details that a summary drops, and a context can quote them.
 */
import { type TermStatistics, rarity } from "../../core/text/keywords.js";
import { splitSentences } from "../../core/text/sentences.js";
import { cutText, splitTerms, splitWords } from "../../core/text/words.js";
import type { Interaction } from "../../ports/store.js";
import { quoteName } from "../quotation.js";

export interface Statement {
  /** Who said it; null for a sentence of a summary. */
  readonly who: string | null;
  readonly text: string;
}

/** The most sentences or passages of one interaction to consider; a longer one is sampled evenly. */
const sentenceCountLimit = 64;
const passageCountLimit = 256;
const wordCountMin = 3;
/** A longer turn is cut after a sentence: one vector cannot represent many thoughts. */
const passageWordCountMax = 60;
/** Speech transcribed without punctuation, and scripts that have none, are cut at this length too. */
const passageLengthMax = 600;

/** The sentences that were said, or those of the summary if only a summary was submitted. */
export function splitStatements({ turns, summary }: Pick<Interaction, "turns" | "summary">): Statement[] {
  const said: Statement[] = turns.flatMap(({ who, text }) =>
    splitSentences(text).map((sentence) => ({ who, text: sentence })),
  );
  return sampleEvenly(said.length > 0 ? said : summarySentences(summary), sentenceCountLimit);
}

/** The sentences of a submitted summary, then what was said, turn by turn. */
export function splitPassages({ turns, summary }: Pick<Interaction, "turns" | "summary">): Statement[] {
  const said = turns.flatMap(({ who, text }) => cutPassages(text).map((passage) => ({ who, text: passage })));
  return sampleEvenly([...summarySentences(summary), ...said], passageCountLimit);
}

function summarySentences(summary: string | null): Statement[] {
  return splitSentences(summary ?? "").map((text) => ({ who: null, text }));
}

function cutPassages(text: string): string[] {
  if (isPassage(text.trim())) return text.trim() === "" ? [] : [text.trim()];
  const passages: string[] = [];
  let open = "";
  for (const sentence of splitSentences(text).flatMap(cutSentence)) {
    const longer = open === "" ? sentence : `${open} ${sentence}`;
    const isClosed = open !== "" && !isPassage(longer);
    if (isClosed) passages.push(open);
    open = isClosed ? sentence : longer;
  }
  return open === "" ? passages : [...passages, open];
}

function isPassage(text: string): boolean {
  return text.length <= passageLengthMax && splitWords(text).length <= passageWordCountMax;
}

function cutSentence(sentence: string): string[] {
  return cutText(sentence, passageLengthMax)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** A statement as a memory keeps it and a context quotes it, with its speaker. */
export function quoteStatement({ who, text }: Statement): string {
  return who === null ? text : `${quoteName(who)}: ${text}`;
}

/** A quoted statement as it is embedded: "user" and "assistant" say nothing about the content, a name does. */
export function embeddedText(quoted: string): string {
  return quoted.replace(/^(?:user|assistant): /u, "");
}

/** The statements worth a vector of their own: the most informative ones, in the order they were said. */
export function selectStatements<S extends Statement>(
  statements: readonly S[],
  statistics: TermStatistics,
  countMax: number,
): S[] {
  const seen = new Set<string>();
  const unique = statements.filter(({ text }) => {
    const isNew = splitWords(text).length >= wordCountMin && !seen.has(text);
    seen.add(text);
    return isNew;
  });
  const mostTellingFirst = unique
    .map((statement) => ({ statement, weight: weigh(statement.text, statistics) }))
    .sort((x, y) => y.weight - x.weight || (x.statement.text < y.statement.text ? -1 : 1));
  const telling = new Set(mostTellingFirst.slice(0, countMax).map(({ statement }) => statement));
  return unique.filter((statement) => telling.has(statement));
}

/** How informative a sentence is: the summed rarity of its terms, with diminishing returns for length. */
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
