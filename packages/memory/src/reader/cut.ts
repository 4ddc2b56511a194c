/**
 * Statements of an interaction (design: several cues per memory). Sentences are what substance is judged by and what a
 * summary is made of; passages (a turn, or part of a long one) are what a memory keeps in addition to its summary: they
 * carry the details that a summary drops, and a context can quote them.
 */
import { type TermStatistics, rarity } from "../text/keywords.js";
import { splitSentencesSteps } from "../text/sentences.js";
import {
  countWords,
  cutText,
  hasUnspacedScript,
  splitTerms,
  splitTermsSteps,
  splitWords,
  splitWordsSteps,
} from "../text/words.js";
import type { Interaction } from "../engine/records/person-data.js";
import { quoteName } from "../text/quotation.js";

export interface Statement {
  /** Who said it; null for a sentence of a summary. */
  readonly who: string | null;
  /** With the question that it answers, if it says something only together with that. */
  readonly text: string;
  /** How it is quoted, if not as `text`: the question is somebody else's. */
  readonly quoted?: string;
}

/** The most sentences or passages of one interaction to consider; a longer one is sampled evenly. */
export const sentenceCountLimit = 64;
const passageCountLimit = 256;
const wordCountMin = 3;
const assistant = "assistant";
const answerLengthMax = 60;
/** Of the question before an answer; a longer one is cut to its last sentence anyway. */
const questionLengthMax = 200;
/** A longer turn is cut after a sentence: one vector cannot represent many thoughts. */
const passageWordCountMax = 60;
/** Speech transcribed without punctuation, and scripts that have none, are cut at this length too. */
const passageLengthMax = 400;

/** The sentences that were said, or those of the summary if only a summary was submitted. */
export function* splitStatementsSteps({ turns, summary }: SaidOrSummarized): Generator<void, Statement[]> {
  const said: Statement[] = [];
  for (const [i, { who, text }] of turns.entries()) {
    const short = yield* shortAnswerSteps(turns, i);
    if (short !== null) said.push(short);
    else for (const sentence of yield* splitSentencesSteps(text)) said.push({ who, text: sentence });
    yield;
  }
  return sampleEvenly(said.length > 0 ? said : yield* summarySentencesSteps(summary), sentenceCountLimit);
}

/** The sentences of a submitted summary, then what was said, turn by turn. */
export function* splitPassagesSteps({ turns, summary }: SaidOrSummarized): Generator<void, Statement[]> {
  const passages = yield* summarySentencesSteps(summary);
  for (const i of turns.keys()) {
    passages.push(...(yield* passagesOfTurnSteps(turns, i)));
    yield;
  }
  return sampleEvenly(passages, passageCountLimit);
}

/** The passages of a turn, the first with the question that it answers: "Fridays." says nothing without it. */
function* passagesOfTurnSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, Statement[]> {
  const { who, text } = turns[i]!;
  const question =
    who === assistant || (yield* splitTermsSteps(text)).length === 0 ? null : yield* askedBeforeSteps(turns, i);
  return (yield* cutPassagesSteps(text)).map((passage, position) =>
    question === null || position > 0 ? { who, text: passage } : answer(who, passage, question),
  );
}

function answer(who: string | null, text: string, question: string): Statement {
  return { who, text: `${question} ${text}`, quoted: `${text} (asked: ${question})` };
}

/** An answer of a word or two is judged together with the question; null for any other turn. */
function* shortAnswerSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, Statement | null> {
  const { who, text } = turns[i]!;
  if (text.length > answerLengthMax || splitWords(text).length >= wordCountMin || splitTerms(text).length === 0)
    return null;
  const question = yield* askedBeforeSteps(turns, i);
  return question === null ? null : answer(who, text.trim(), question);
}

/** The question of somebody else that a turn follows, with its mark; null if it follows none. */
export function* askedBeforeSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, string | null> {
  const asked = turns[i - 1];
  if (asked === undefined || asked.who === turns[i]!.who) return null;
  const question = (yield* splitSentencesSteps(asked.text.slice(-questionLengthMax))).at(-1);
  if (question === undefined || !isQuestion(question)) return null;
  return /\p{P}$/u.test(question) ? question : `${question}?`;
}

/** In a chat questions often have no mark: "whats her name again", "do u still run". */
const questionWords =
  /^(?:(?:so|and|but|ok|okay|oh|hey|wait|btw)[, ]+)*(?:(?:what|who|where|when|why|how|which|whose)(?:['’]?s)?\b|(?:do|have)(?:n['’]?t)? (?:i|you|u|ya|we|they)\b|(?:am|are|is|was|were|does|did|has|had|can|could|will|would|should)(?:n['’]?t)? (?:i|you|u|ya|your|ur|he|she|it|we|they|his|her|their|the|that|this|there|any)\b)/iu;

function isQuestion(sentence: string): boolean {
  return sentence.endsWith("?") || questionWords.test(sentence.slice(0, passageLengthMax));
}

type SaidOrSummarized = Pick<Interaction, "turns" | "summary">;

function* summarySentencesSteps(summary: string | null): Generator<void, Statement[]> {
  const sentences = yield* splitSentencesSteps(summary ?? "");
  return sentences.map((text) => ({ who: null, text }));
}

function* cutPassagesSteps(text: string): Generator<void, string[]> {
  const whole = text.trim();
  if (whole.length <= passageLengthMax && splitWords(whole).length <= passageWordCountMax) {
    return whole === "" ? [] : [whole];
  }
  const passages: string[] = [];
  let open = new GrowingPassage();
  for (const sentence of (yield* splitSentencesSteps(text)).flatMap(cutSentence)) {
    if (!open.add(sentence)) {
      passages.push(open.text);
      open = new GrowingPassage();
      open.add(sentence);
    }
    yield;
  }
  return open.text === "" ? passages : [...passages, open.text];
}

/** Sentences in a row. Their words are counted one sentence at a time, since all of them together take too long. */
class GrowingPassage {
  text = "";
  #wordCount = 0;
  #isUnspaced = false;

  /** False if the passage would become too long; the first sentence is always added. */
  add(sentence: string): boolean {
    const longer = this.text === "" ? sentence : `${this.text} ${sentence}`;
    if (this.text !== "" && longer.length > passageLengthMax) return false;
    const isUnspaced = this.#isUnspaced || hasUnspacedScript(sentence);
    const before = isUnspaced === this.#isUnspaced ? this.#wordCount : countWords(this.text, isUnspaced);
    const wordCount = before + countWords(sentence, isUnspaced);
    if (this.text !== "" && wordCount > passageWordCountMax) return false;
    [this.text, this.#wordCount, this.#isUnspaced] = [longer, wordCount, isUnspaced];
    return true;
  }
}

function cutSentence(sentence: string): string[] {
  return cutText(sentence, passageLengthMax)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** A statement as a memory keeps it and a context quotes it, with its speaker. */
export function quoteStatement({ who, text, quoted = text }: Statement): string {
  return who === null ? quoted : `${quoteName(who)}: ${quoted}`;
}

/** Whether a quoted statement names its speaker. */
export function namesSpeaker(quoted: string): boolean {
  return speakerOf(quoted) !== null;
}

/** Who said a quoted statement; null for a sentence of a summary. */
function speakerOf(quoted: string): string | null {
  return /^([^\s:][^:\n]{0,63}): /u.exec(quoted)?.[1] ?? null;
}

/**
 * A quoted statement as it is embedded: "user" and "assistant" say nothing about the content, a name does; a question comes
 * before its answer.
 */
export function embeddedText(quoted: string): string {
  const said = quoted.replace(/^(?:user|assistant): /u, "");
  const [, name = "", answer, question] = answered.exec(said) ?? [];
  return question === undefined ? said : `${name}${question} ${answer}`;
}

const answered = /^([^\s:][^:\n]{0,63}: )?([^]{1,600}) \(asked: ([^\n]{1,600})\)$/u;

/** The statements worth a vector of their own: the most informative ones, in the order they were said. */
export function* selectStatementsSteps<S extends Statement>(
  statements: readonly S[],
  statistics: TermStatistics,
  countMax: number,
): Generator<void, S[]> {
  const seen = new Set<string>();
  const unique: { readonly statement: S; readonly weight: number }[] = [];
  for (const statement of statements) {
    const { text } = statement;
    const isNew = !seen.has(text) && (yield* splitWordsSteps(text)).length >= wordCountMin;
    seen.add(text);
    if (isNew) unique.push({ statement, weight: yield* weighSteps(text, statistics) });
    yield;
  }
  const mostTellingFirst = unique.toSorted(
    (x, y) => y.weight - x.weight || (x.statement.text < y.statement.text ? -1 : 1),
  );
  const telling = new Set(mostTellingFirst.slice(0, countMax).map(({ statement }) => statement));
  return unique.map(({ statement }) => statement).filter((statement) => telling.has(statement));
}

/** How informative a sentence is: the summed rarity of its terms, with diminishing returns for length. */
function* weighSteps(sentence: string, statistics: TermStatistics): Generator<void, number> {
  const terms = new Set(yield* splitTermsSteps(sentence));
  let sum = 0;
  for (const term of terms) sum += rarity(term, statistics);
  return sum / Math.sqrt(Math.max(4, terms.size));
}

export function sampleEvenly<Item>(items: readonly Item[], countMax: number): Item[] {
  if (items.length <= countMax) return [...items];
  return Array.from({ length: countMax }, (_, i) => items[Math.floor((i * items.length) / countMax)]!);
}
