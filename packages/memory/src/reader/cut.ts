/**
 * An interaction is cut into statements, once. What people said is cut into sentences, and clauses that can change alone,
 * in their words; an answer carries the question before it. An assistant's words, and material, are cut into passages: they
 * can be found and quoted.
 */
import { type TermStatistics, rarity } from "../text/keywords.js";
import { splitClauses } from "../english/clauses.js";
import { isInstruction } from "../english/instructions.js";
import type { Interaction } from "../engine/records/person-data.js";
import type { Statement } from "../graph/statement.js";
import { splitSentencesSteps } from "../text/sentences.js";
import { quoteName } from "../text/quotation.js";
import { cutText, splitTermsSteps, splitWords, splitWordsSteps } from "../text/words.js";
import { splitMaterial } from "./material.js";
import { askedBeforeSteps, sampleEvenly } from "./sentences.js";

/** A statement that nobody has read so far. */
export type CutStatement = Omit<Statement, "reading">;

type SaidOrSummarized = Pick<Interaction, "turns" | "summary">;

export const assistant = "assistant";
/** The most statements of one interaction to consider; a longer one is sampled evenly. */
const statementCountLimit = 256;
const lengthMax = 400;
/** One vector cannot represent many thoughts. */
const passageWordCountMax = 60;
/** Shorter ones belong to what stands before them: "or not." */
const wordCountMin = 3;

/** The sentences of a submitted summary, then what was said, turn by turn. */
export function* cutStatementsSteps({ turns, summary }: SaidOrSummarized): Generator<void, CutStatement[]> {
  const all: CutStatement[] = [];
  for (const text of yield* splitSentencesSteps(summary ?? "")) {
    for (const piece of cutLong(text)) all.push({ turn: null, who: null, text: piece, asked: null, kind: "said" });
  }
  for (const i of turns.keys()) {
    all.push(...(yield* cutTurnSteps(turns, i)));
    yield;
  }
  return sampleEvenly(all, statementCountLimit);
}

function* cutTurnSteps(turns: SaidOrSummarized["turns"], i: number): Generator<void, CutStatement[]> {
  const { who, text } = turns[i]!;
  const pieces: { text: string; kind: Statement["kind"] }[] = [];
  for (const stretch of who === assistant ? [{ text, isMaterial: false }] : splitMaterial(text)) {
    if (who === assistant || stretch.isMaterial) {
      const kind = stretch.isMaterial ? ("passage" as const) : ("said" as const);
      for (const passage of yield* cutPassagesSteps(stretch.text)) pieces.push({ text: passage, kind });
    } else for (const said of yield* cutSaidSteps(stretch.text)) pieces.push({ text: said, kind: "said" });
  }
  const question = who === assistant ? null : yield* askedBeforeSteps(turns, i);
  return pieces.map((piece, position) => ({
    ...piece,
    turn: i,
    who,
    asked: position === 0 && piece.kind === "said" ? question : null,
  }));
}

/** Sentences and clauses; a short one goes with what stands before it. */
function* cutSaidSteps(text: string): Generator<void, string[]> {
  const pieces: string[] = [];
  let at = 0;
  for (const sentence of yield* splitSentencesSteps(text)) {
    // An order to a model stays whole, so that it is known as one.
    const clauses = isInstruction(sentence) ? [sentence] : splitClauses(sentence);
    for (const piece of clauses.flatMap(cutLong)) {
      const last = pieces.at(-1);
      const isShort = splitWords(piece).length < wordCountMin;
      const joined = last === undefined || !isShort ? null : joinAsSaid(text, at, last, piece);
      if (joined !== null && joined.length < lengthMax) pieces[pieces.length - 1] = joined;
      else pieces.push(piece);
      at = Math.max(at, text.indexOf(pieces.at(-1)!, at));
    }
    yield;
  }
  return pieces;
}

/** Two pieces with what stands between them, so that a statement is found again in what was said. */
function joinAsSaid(text: string, from: number, first: string, second: string): string {
  const start = text.indexOf(first, from);
  const next = start < 0 ? -1 : text.indexOf(second, start + first.length);
  return next < 0 ? `${first} ${second}` : text.slice(start, next + second.length);
}

/** Sentences in a row, as many as one vector can stand for. */
function* cutPassagesSteps(text: string): Generator<void, string[]> {
  const passages: { text: string; wordCount: number }[] = [];
  for (const sentence of (yield* splitSentencesSteps(text)).flatMap(cutLong)) {
    yield;
    const wordCount = (yield* splitWordsSteps(sentence)).length;
    const open = passages.at(-1);
    const isFitting =
      open !== undefined &&
      open.text.length + sentence.length < lengthMax &&
      open.wordCount + wordCount <= passageWordCountMax;
    if (isFitting)
      passages[passages.length - 1] = { text: `${open.text} ${sentence}`, wordCount: open.wordCount + wordCount };
    else passages.push({ text: sentence, wordCount });
  }
  return passages.map((passage) => passage.text);
}

function cutLong(text: string): string[] {
  return cutText(text, lengthMax)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** A statement as it is embedded: "user" and "assistant" say nothing about the content, a name does. */
export function embeddedText({ who, text, asked }: Pick<Statement, "who" | "text" | "asked">): string {
  const name = who === null || who === "user" || who === assistant ? "" : `${quoteName(who)}: `;
  return asked === null ? name + text : `${name}${asked} ${text}`;
}

/** The statements worth a vector of their own: the most informative ones, in the order they were said. */
export function* selectStatementsSteps<S extends Pick<Statement, "text">>(
  statements: readonly S[],
  statistics: TermStatistics,
  countMax: number,
): Generator<void, S[]> {
  const seen = new Set<string>();
  const unique: { readonly statement: S; readonly weight: number }[] = [];
  for (const statement of statements) {
    const { text } = statement;
    if (!seen.has(text)) unique.push({ statement, weight: yield* weighSteps(text, statistics) });
    seen.add(text);
    yield;
  }
  if (unique.length <= countMax) return unique.map(({ statement }) => statement);
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
