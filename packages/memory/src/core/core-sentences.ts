/**
 * The core summary without a language model (section 3.3): of the central memories' sentences, those about what lasts
 * and what keeps coming up in this person's life, one from each memory before a second from any, without repetition, in
 * chronological order.
 */
import type { TermStatistics } from "../text/keywords.js";
import { compareAge } from "../graph/memory-node.js";
import { type QuantizedVector, cosine } from "../graph/vectors/quantized-vector.js";
import { splitTerms, splitWords } from "../text/words.js";
import { nearestMean } from "../reader/substance.js";
import type { SubstanceVectors } from "../engine/parts.js";

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

export function* selectCoreSentencesSteps(
  sentences: readonly CoreSentence[],
  wordCountMax: number,
): Generator<void, string> {
  const chosen: CoreSentence[] = [];
  const taken = new Map<string, number>();
  let wordsLeft = wordCountMax;
  /** Each with how close it comes to one already chosen. */
  let left = sentences.map((sentence) => ({ sentence, repetition: 0 }));
  for (;;) {
    left = left.filter(({ sentence }) => sentence.wordCount <= wordsLeft);
    if (left.length === 0) break;
    const takenOf = ({ memory }: CoreSentence): number => taken.get(memory.id) ?? 0;
    const fewest = left.reduce((least, { sentence }) => Math.min(least, takenOf(sentence)), Infinity);
    const gain = (at: (typeof left)[number]): number => at.sentence.value - repetitionWeight * at.repetition;
    const next = left
      .filter(({ sentence }) => takenOf(sentence) === fewest)
      .reduce((best, other) => (gain(other) > gain(best) ? other : best));
    chosen.push(next.sentence);
    taken.set(next.sentence.memory.id, fewest + 1);
    wordsLeft -= next.sentence.wordCount;
    left = left.filter((other) => other !== next);
    for (const other of left) {
      other.repetition = Math.max(other.repetition, cosine(other.sentence.vector, next.sentence.vector));
    }
    yield;
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
  return nearestMean(vector, lasting) - nearestMean(vector, [...passing, ...mundane]);
}

/** How much closer a sentence is to examples of substance than to small talk. */
function substance(vector: QuantizedVector, { categories, mundane }: SubstanceVectors): number {
  const substantial = categories.flatMap(({ vectors }) => vectors);
  return nearestMean(vector, substantial) - nearestMean(vector, mundane);
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
