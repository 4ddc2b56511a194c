/**
 * Sentences of an interaction: what an interaction summary is made of and substance is told by where no statements are
 * kept, as in preset `paper`.
 */
import { isQuestion } from "../english/clauses.js";
import type { Interaction } from "../engine/records/person-data.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import { splitSentencesSteps } from "../text/sentences.js";
import { splitTerms, splitTermsSteps, splitWords, splitWordsSteps } from "../text/words.js";

export interface Sentence {
  /** Who said it; null for a sentence of a summary. */
  readonly who: string | null;
  /** With the question that it answers, if it says something only together with that. */
  readonly text: string;
  /** How it is quoted, if not as `text`: the question is somebody else's. */
  readonly quoted?: string;
}

export interface EmbeddedSentence extends Sentence {
  readonly vector: QuantizedVector;
}

type SaidOrSummarized = Pick<Interaction, "turns" | "summary">;

/** The most sentences of one interaction to consider; a longer one is sampled evenly. */
export const sentenceCountLimit = 64;
const wordCountMin = 3;
const answerLengthMax = 60;
const questionLengthMax = 200;

/** The sentences that were said, or those of the summary if only a summary was submitted. */
export function* splitSaidSteps({ turns, summary }: SaidOrSummarized): Generator<void, Sentence[]> {
  const said: Sentence[] = [];
  for (const [i, { who, text }] of turns.entries()) {
    const short = yield* shortAnswerSteps(turns, i);
    if (short !== null) said.push(short);
    else for (const sentence of yield* splitSentencesSteps(text)) said.push({ who, text: sentence });
    yield;
  }
  if (said.length > 0) return sampleEvenly(said, sentenceCountLimit);
  const sentences = yield* splitSentencesSteps(summary ?? "");
  return sampleEvenly(
    sentences.map((text) => ({ who: null, text })),
    sentenceCountLimit,
  );
}

/** Those that have enough words to say something. */
export function* tellingSteps(sentences: readonly Sentence[]): Generator<void, Sentence[]> {
  const telling: Sentence[] = [];
  for (const sentence of sentences) {
    if ((yield* splitWordsSteps(sentence.text)).length >= wordCountMin) telling.push(sentence);
    yield;
  }
  return telling;
}

/** An answer of a word or two is judged together with the question; null for any other turn. */
function* shortAnswerSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, Sentence | null> {
  const { who, text } = turns[i]!;
  if (text.length > answerLengthMax || splitWords(text).length >= wordCountMin || splitTerms(text).length === 0)
    return null;
  const question = yield* askedBeforeSteps(turns, i);
  if (question === null) return null;
  const answer = text.trim();
  return { who, text: `${question} ${answer}`, quoted: `${answer} (asked: ${question})` };
}

/** The question of somebody else that a turn follows, with its mark; null if it follows none. */
export function* askedBeforeSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, string | null> {
  const asked = turns[i - 1];
  if (asked === undefined || asked.who === turns[i]!.who) return null;
  if ((yield* splitTermsSteps(turns[i]!.text)).length === 0) return null;
  const question = (yield* splitSentencesSteps(asked.text.slice(-questionLengthMax))).at(-1);
  if (question === undefined || !isQuestion(question)) return null;
  return /\p{P}$/u.test(question) ? question : `${question}?`;
}

export function sampleEvenly<Item>(items: readonly Item[], countMax: number): Item[] {
  if (items.length <= countMax) return [...items];
  return Array.from({ length: countMax }, (_, i) => items[Math.floor((i * items.length) / countMax)]!);
}
