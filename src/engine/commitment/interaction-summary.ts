/**
 * Interaction summary (section 3: "the memory system inputs are interaction summaries"), made without a language model:
 * the most central sentences within a word limit, each with its speaker, in the order they were said. A sentence gains
 * by representing what others say too (its closeness to the centre of the conversation) and by names and numbers, and
 * loses by repeating one already chosen (maximal marginal relevance, Carbonell & Goldstein 1998).
 */
import { type QuantizedVector, cosine, meanVector } from "../../core/vectors/quantized-vector.js";
import { isNumberWord, splitTerms, splitWords, toTerm } from "../../core/text/words.js";
import { quoteName } from "../quotation.js";
import type { Statement } from "./statements.js";

export interface EmbeddedStatement extends Statement {
  readonly vector: QuantizedVector;
}

const centralityWeight = 0.6;
const specificityWeight = 0.4;
const repetitionWeight = 0.5;
const questionPenalty = 0.3;
/** "Good morning." and "Yes please." stay out of a summary as long as there is anything else. */
const termCountMin = 2;
/** A conversation is about what the person says; the other side counts a little less. */
const assistantPenalty = 0.15;

export function summarizeStatements(statements: readonly EmbeddedStatement[], wordCountMax: number): string {
  if (statements.length === 0) return "";
  const telling = statements.filter(({ text }) => splitTerms(text).length >= termCountMin);
  const chosen = chooseSentences(telling.length > 0 ? telling : statements, wordCountMax);
  return joinWithSpeakers(statements.filter((statement) => chosen.has(statement)));
}

function chooseSentences(statements: readonly EmbeddedStatement[], wordCountMax: number): Set<EmbeddedStatement> {
  const middle = meanVector(
    statements.map(({ vector }) => vector),
    statements[0]!.vector.length,
  );
  const values = new Map(statements.map((statement) => [statement, value(statement, middle)]));
  const chosen = new Set<EmbeddedStatement>();
  let wordCount = 0;
  for (;;) {
    const next = bestNext(statements, values, chosen, wordCountMax - wordCount);
    if (next === undefined) break;
    chosen.add(next);
    wordCount += splitWords(next.text).length;
  }
  // One sentence over the limit is better than none.
  if (chosen.size === 0) chosen.add(statements.reduce((best, s) => (values.get(s)! > values.get(best)! ? s : best)));
  return chosen;
}

function bestNext(
  statements: readonly EmbeddedStatement[],
  values: ReadonlyMap<EmbeddedStatement, number>,
  chosen: ReadonlySet<EmbeddedStatement>,
  wordsLeft: number,
): EmbeddedStatement | undefined {
  let best: EmbeddedStatement | undefined;
  let bestGain = -Infinity;
  for (const statement of statements) {
    if (chosen.has(statement) || splitWords(statement.text).length > wordsLeft) continue;
    let repetition = 0;
    for (const other of chosen) repetition = Math.max(repetition, cosine(statement.vector, other.vector));
    const gain = values.get(statement)! - repetitionWeight * repetition;
    if (gain > bestGain) [best, bestGain] = [statement, gain];
  }
  return best;
}

function value({ who, text, vector }: EmbeddedStatement, middle: QuantizedVector): number {
  const penalty = (text.trimEnd().endsWith("?") ? questionPenalty : 0) + (who === "assistant" ? assistantPenalty : 0);
  return centralityWeight * cosine(vector, middle) + specificityWeight * specificity(text) - penalty;
}

/** Share of a sentence's words that are names or numbers, from 0 to 1, reaching 1 at a third. */
export function specificity(text: string): number {
  const words = splitWords(text);
  const specific = words.filter(
    (word, i) => isNumberWord(word) || (i > 0 && /^\p{Lu}/u.test(word) && toTerm(word) !== null),
  );
  return Math.min(1, (3 * specific.length) / Math.max(1, words.length));
}

function joinWithSpeakers(statements: readonly EmbeddedStatement[]): string {
  const parts: string[] = [];
  let speaker: string | null = null;
  for (const { who, text } of statements) {
    parts.push(who === null || who === speaker ? text : `${quoteName(who)}: ${text}`);
    speaker = who;
  }
  return parts.join(" ");
}
