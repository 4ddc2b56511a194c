/**
 * The core summary without a language model (section 3.3): of the central memories' sentences, those about what lasts
 * and what keeps coming up in this person's life, one from each memory before a second from any, without repetition, in
 * chronological order.
 */
import type { TermStatistics } from "../../core/text/keywords.js";
import { compareAge } from "../../core/graph/memory-node.js";
import { type QuantizedVector, cosine } from "../../core/vectors/quantized-vector.js";
import { splitTerms, splitWords } from "../../core/text/words.js";
import { type SubstanceVectors, nearestMean } from "../commitment/substance.js";

export interface CoreSentence {
  readonly text: string;
  readonly wordCount: number;
  readonly memory: { readonly id: string; readonly initMs: number };
  readonly position: number;
  readonly vector: QuantizedVector;
  readonly value: number;
}

/** Tuned on the care journeys' own lists of lasting facts; docs/design-choices.md has the figures. */
const lastingWeight = 2;
const substanceWeight = 1;
const recurrenceWeight = 1;
const repetitionWeight = 0.5;
const nearestCount = 3;
/** A sentence that depends on the one before it, or on another conversation, says little alone. */
const danglingPenalty = 0.3;
const danglingStart = /^(?:they|it|this|that|these|those|there|then|but|and|so|both|neither)\b/iu;
const referringBack = /\b(?:unchanged|repeat(?:ed|s)?|the same|as before|once more|again|confirmed|previous|those)\b/iu;

export function scoreCoreSentence(
  sentence: Pick<CoreSentence, "memory" | "text" | "position" | "vector">,
  examples: SubstanceVectors,
  statistics: TermStatistics,
): CoreSentence {
  const { text, vector } = sentence;
  const value =
    lastingWeight * lastingness(vector, examples) +
    substanceWeight * substance(vector, examples) +
    recurrenceWeight * recurrence(text, statistics) -
    (danglingStart.test(text) || referringBack.test(text) ? danglingPenalty : 0);
  return { ...sentence, wordCount: splitWords(text).length, value };
}

export function selectCoreSentences(sentences: readonly CoreSentence[], wordCountMax: number): string {
  const chosen: CoreSentence[] = [];
  const taken = new Map<string, number>();
  let wordsLeft = wordCountMax;
  for (;;) {
    const fitting = sentences.filter((sentence) => !chosen.includes(sentence) && sentence.wordCount <= wordsLeft);
    if (fitting.length === 0) break;
    const fewest = Math.min(...fitting.map(({ memory }) => taken.get(memory.id) ?? 0));
    const [next] = fitting
      .filter(({ memory }) => (taken.get(memory.id) ?? 0) === fewest)
      .map((sentence) => ({ sentence, gain: sentence.value - repetitionWeight * repetition(sentence, chosen) }))
      .sort((x, y) => y.gain - x.gain);
    chosen.push(next!.sentence);
    taken.set(next!.sentence.memory.id, fewest + 1);
    wordsLeft -= next!.sentence.wordCount;
  }
  return chosen
    .sort((x, y) => compareAge(x.memory, y.memory) || x.position - y.position)
    .map(({ text }) => `- ${text}`)
    .join("\n");
}

/** How much closer a sentence is to examples of what lasts than to any others. */
function lastingness(vector: QuantizedVector, { categories, mundane }: SubstanceVectors): number {
  const lasting = categories.filter((category) => category.lasting).flatMap(({ vectors }) => vectors);
  const passing = categories.filter((category) => !category.lasting).flatMap(({ vectors }) => vectors);
  return nearestMean(vector, lasting, nearestCount) - nearestMean(vector, [...passing, ...mundane], nearestCount);
}

/** How much closer a sentence is to examples of substance than to small talk. */
function substance(vector: QuantizedVector, { categories, mundane }: SubstanceVectors): number {
  const substantial = categories.flatMap(({ vectors }) => vectors);
  return nearestMean(vector, substantial, nearestCount) - nearestMean(vector, mundane, nearestCount);
}

/** How much a sentence is about recurring topics: the mean share of memories that hold each of its terms. */
function recurrence(text: string, { documentCount, documentFrequency }: TermStatistics): number {
  const terms = new Set(splitTerms(text));
  let sum = 0;
  for (const term of terms) {
    sum += Math.log2(Math.max(1, documentFrequency(term))) / Math.log2(Math.max(2, documentCount));
  }
  return sum / Math.max(6, terms.size);
}

function repetition({ vector }: CoreSentence, chosen: readonly CoreSentence[]): number {
  return chosen.reduce((largest, other) => Math.max(largest, cosine(vector, other.vector)), 0);
}
