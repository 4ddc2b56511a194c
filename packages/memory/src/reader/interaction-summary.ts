/**
 * Interaction summary (section 3: "the memory system inputs are interaction summaries"), made without a language model:
 * the most central sentences within a word limit, each with its speaker, in the order they were said. A sentence gains
 * by representing what others say too (its closeness to the centre of the conversation) and by names and numbers, and
 * loses by repeating one already chosen (maximal marginal relevance, Carbonell & Goldstein 1998).
 */
import { type QuantizedVector, cosine, meanVector } from "../graph/vectors/quantized-vector.js";
import { isNumberWord, splitTermsSteps, splitWordsSteps, toTerm } from "../text/words.js";
import { quoteName } from "../text/quotation.js";
import type { EmbeddedSentence } from "./sentences.js";

const centralityWeight = 0.6;
const specificityWeight = 0.4;
const repetitionWeight = 0.5;
const questionPenalty = 0.3;
/** "Good morning." and "Yes please." stay out of a summary as long as there is anything else; "Hi, I'm Alex." does not. */
const termCountMin = 2;
const introduction = /(?<!\p{L})(?:I['’]m|I am|[Mm]y name['’]s|[Mm]y name is|[Cc]all me) \p{Lu}/u;
/** A conversation is about what the person says; the other side counts a little less. */
const assistantPenalty = 0.15;

export function* summarizeSteps(
  statements: readonly EmbeddedSentence[],
  wordCountMax: number,
): Generator<void, string> {
  if (statements.length === 0) return "";
  const telling: EmbeddedSentence[] = [];
  for (const statement of statements) {
    const { text } = statement;
    if ((yield* splitTermsSteps(text)).length >= termCountMin || introduction.test(text)) telling.push(statement);
    yield;
  }
  const chosen = yield* chooseSentencesSteps(telling.length > 0 ? telling : statements, wordCountMax);
  return joinWithSpeakers(statements.filter((statement) => chosen.has(statement)));
}

/** A sentence that may become part of the summary. */
interface Candidate {
  readonly statement: EmbeddedSentence;
  readonly value: number;
  readonly wordCount: number;
}

function* chooseSentencesSteps(
  statements: readonly EmbeddedSentence[],
  wordCountMax: number,
): Generator<void, Set<EmbeddedSentence>> {
  const middle = meanVector(
    statements.map(({ vector }) => vector),
    statements[0]!.vector.length,
  );
  const candidates: Candidate[] = [];
  for (const statement of statements) {
    const words = yield* splitWordsSteps(statement.text);
    candidates.push({ statement, value: value(statement, words, middle), wordCount: words.length });
    yield;
  }
  const chosen = new Set<EmbeddedSentence>();
  let wordCount = 0;
  for (;;) {
    const next = bestNext(candidates, chosen, wordCountMax - wordCount);
    if (next === undefined) break;
    chosen.add(next.statement);
    wordCount += next.wordCount;
    yield;
  }
  // One sentence over the limit is better than none.
  if (chosen.size === 0) chosen.add(candidates.reduce((best, c) => (c.value > best.value ? c : best)).statement);
  return chosen;
}

function bestNext(
  candidates: readonly Candidate[],
  chosen: ReadonlySet<EmbeddedSentence>,
  wordsLeft: number,
): Candidate | undefined {
  let best: Candidate | undefined;
  let bestGain = -Infinity;
  for (const candidate of candidates) {
    const { statement, wordCount } = candidate;
    if (chosen.has(statement) || wordCount > wordsLeft) continue;
    let repetition = 0;
    for (const other of chosen) repetition = Math.max(repetition, cosine(statement.vector, other.vector));
    const gain = candidate.value - repetitionWeight * repetition;
    if (gain > bestGain) [best, bestGain] = [candidate, gain];
  }
  return best;
}

function value({ who, text, vector }: EmbeddedSentence, words: readonly string[], middle: QuantizedVector): number {
  const penalty = (text.trimEnd().endsWith("?") ? questionPenalty : 0) + (who === "assistant" ? assistantPenalty : 0);
  return centralityWeight * cosine(vector, middle) + specificityWeight * specificity(words) - penalty;
}

/** Share of a sentence's words that are names or numbers, from 0 to 1, reaching 1 at a third. */
function specificity(words: readonly string[]): number {
  const specific = words.filter(
    (word, i) => isNumberWord(word) || (i > 0 && /^\p{Lu}/u.test(word) && toTerm(word) !== null),
  );
  return Math.min(1, (3 * specific.length) / Math.max(1, words.length));
}

function joinWithSpeakers(statements: readonly EmbeddedSentence[]): string {
  const parts: string[] = [];
  let speaker: string | null = null;
  for (const { who, text, quoted = text } of statements) {
    parts.push(who === null || who === speaker ? quoted : `${quoteName(who)}: ${quoted}`);
    speaker = who;
  }
  return parts.join(" ");
}
