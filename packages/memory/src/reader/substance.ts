/**
 * The substance filter (section 3.1, Algorithm B1) without a language model: does an interaction contain anything worth
 * remembering? Each statement is compared with the profile's examples of substance and of small talk; the few statements
 * that lean most towards substance represent the interaction.
 *
 *   margin(s)   = closeness(s, categories) - closeness(s, mundane)       closeness: mean of the k nearest cosines
 *   margin      = mean of the n highest margin(s)
 *   score       = (margin - centre) / spread + w_f familiarity + w_s specificity
 *
 * Centre and spread come from the profile's own examples, each judged by all the others: 1 is as substantial as an
 * average example of substance, -1 as mundane as an average example of small talk. A custom profile is thereby centred
 * at 0 without tuning. An interaction close to a memory is as substantial as that memory was (familiarity: the paper's
 * "core summary as a salience baseline"); the redundancy filter decides whether it is redundant. Text in another
 * language than the examples cannot be compared with them and never counts as small talk.
 */
import type { SubstanceTrace } from "../engine/commit-trace.js";
import type { SubstanceVectors } from "../engine/parts.js";
import { cosine, type QuantizedVector } from "../graph/vectors/quantized-vector.js";
import { isNumberWord, isSpelledNumber, splitTermsSteps, splitWords, splitWordsSteps, toTerm } from "../text/words.js";
import type { Parameters } from "../parameters.js";
import type { Profile } from "../profiles/profile.js";

/** Examples whose mean cosine is a statement's closeness (k), and statements that represent an interaction (n). */
const nearestCount = 3;
const evidenceCount = 4;
/** The most that numbers and names (w_s) and closeness to a memory (w_f) add to the score. */
const specificityWeight = 0.3;
const familiarityWeight = 1.5;
/** Novelty (1 - cosine with the nearest memory) below which closeness to a memory counts. */
const noveltyMax = 0.4;

export interface SubstanceInput {
  /** Sentences of the turns, from every speaker, or of the summary if no turns were submitted. */
  readonly statements: readonly string[];
  readonly statementVectors: readonly QuantizedVector[];
  /** 1 - highest cosine of the interaction's summary vector with a memory's; 1 if there is no memory yet. */
  readonly novelty: number;
}

/** What to embed for a profile: examples of each category in order, then small talk. */
export function substanceTexts(profile: Profile): string[] {
  return [...profile.categories.flatMap(({ examples }) => examples), ...profile.mundane];
}

/** `vectors` are those of `substanceTexts(profile)`, in the same order. */
export function buildSubstanceVectors(profile: Profile, vectors: readonly QuantizedVector[]): SubstanceVectors {
  let taken = 0;
  const categories = profile.categories.map(({ name, examples, lasting = false }) => {
    taken += examples.length;
    return { name, lasting, vectors: vectors.slice(taken - examples.length, taken) };
  });
  const mundane = vectors.slice(taken);
  const substantial = vectors.slice(0, taken);
  const centreOfSubstance = mean(substantial.map((v, i) => exampleMargin(v, substantial.toSpliced(i, 1), mundane)));
  const centreOfSmallTalk = mean(mundane.map((v, i) => exampleMargin(v, substantial, mundane.toSpliced(i, 1))));
  return {
    categories,
    mundane,
    centre: (centreOfSubstance + centreOfSmallTalk) / 2,
    spread: Math.max(spreadMin, (centreOfSubstance - centreOfSmallTalk) / 2),
    stopWordShare: stopWordShareOf(substanceTexts(profile).flatMap(splitWords)),
  };
}

/** Avoids dividing by zero for a profile whose examples do not separate substance from small talk. */
const spreadMin = 0.02;

export function* judgeSubstanceSteps(
  input: SubstanceInput,
  examples: SubstanceVectors,
  parameters: Parameters,
): Generator<void, SubstanceTrace> {
  const evidence = yield* findEvidenceSteps(input, examples);
  const closeness = mean(evidence.map((statement) => statement.closeness));
  const mundaneCloseness = mean(evidence.map((statement) => statement.mundaneCloseness));
  const familiarity = familiarityOf(input.novelty);
  const specificity = specificityOf(evidence.map(({ position }) => input.statements[position]!));
  const comparable = yield* isComparableSteps(input.statements, examples);
  const leaning =
    evidence.length === 0 ? smallTalkLeaning : (closeness - mundaneCloseness - examples.centre) / examples.spread;
  const score = clampScore(
    (comparable ? leaning : Math.max(0, leaning)) + familiarityWeight * familiarity + specificityWeight * specificity,
  );
  const substantial = score >= parameters.substanceThreshold;
  return {
    substantial,
    score,
    threshold: parameters.substanceThreshold,
    category: substantial ? nearestCategory(evidence, input, examples) : null,
    closeness,
    mundaneCloseness,
    familiarity,
    specificity,
    novelty: input.novelty,
    comparable,
    evidence: evidence.map(({ position }) => position),
  };
}

/** The leaning of an interaction without any statement that says something. */
const smallTalkLeaning = -1;

interface Evidence {
  readonly position: number;
  readonly closeness: number;
  readonly mundaneCloseness: number;
}

function* findEvidenceSteps(input: SubstanceInput, examples: SubstanceVectors): Generator<void, Evidence[]> {
  const substantial = examples.categories.flatMap(({ vectors }) => vectors);
  const evidence: Evidence[] = [];
  for (const position of yield* tellingPositionsSteps(input.statements)) {
    const vector = input.statementVectors[position]!;
    const closeness = nearestMean(vector, substantial);
    evidence.push({ position, closeness, mundaneCloseness: nearestMean(vector, examples.mundane) });
    yield;
  }
  return evidence.sort((a, b) => margin(b) - margin(a) || a.position - b.position).slice(0, evidenceCount);
}

function margin({ closeness, mundaneCloseness }: Evidence): number {
  return closeness - mundaneCloseness;
}

/** Short replies ("Yes please.") are neutral and only blur the mean; they count only if there is nothing else. */
const tellingTermCountMin = 2;

function* tellingPositionsSteps(statements: readonly string[]): Generator<void, number[]> {
  const positions: number[] = [];
  const telling: number[] = [];
  for (const [position, statement] of statements.entries()) {
    yield;
    if (deniesContent(statement)) continue;
    positions.push(position);
    if ((yield* splitTermsSteps(statement)).length >= tellingTermCountMin) telling.push(position);
  }
  return telling.length > 0 ? telling : positions;
}

/**
 * "no" and similar words at the start of a clause, so that "she had no pain, and surgery was discussed" stays; "No,
 * ..." replies.
 */
const denier = /(?:^|[,;:–—]\s*|\b(?:and|but|with|was|that) )(?:nothing|neither|none|no(?!,))\b/giu;
/** What is denied then, anywhere later in the line. */
const denied =
  /\b(?:(?:was|were|been|is|are|being)\b(?: \w+)? (?:said|discussed|mentioned|talked about|spoken (?:of|about)|brought up|touched (?:up)?on)|(?:came|come|comes|coming) (?:up|into))\b/iu;
const denials: readonly RegExp[] = [
  // A dose can also be raised, so here the verb has to follow closely.
  /\b(?:nothing|no \w+(?: \w+)?) (?:was|were|is|has been) (?:\w+ ){0,2}(?:raised|covered|shared|decided)\b/iu,
  /\b(?:no|without(?: any)?) (?:\w+ ){0,2}(?:mention|discussion|talk|content|information|bearing|topics?|substance)\b/iu,
  /\bnothing (?:medical|clinical|personal|important|special|particular|significant|to do with|of (?:note|substance|importance)|about|regarding|concerning)\b/iu,
  /\bwith nothing on\b/iu,
  /\bnothing (?:else|more|further)\b(?=[\s"'’)]*(?:[,.;!]|$| (?:was|came|happened|to)\b))/iu,
  /\b(?:did not|didn['’]t|does not|doesn['’]t|never|without) (?:discuss|mention|talk about|bring up|touch (?:up)?on|bringing up|mentioning|discussing)\b/iu,
];

/**
 * Third-person summaries of small talk often say what was not talked about ("nothing about her health came up"). Such a
 * sentence names the very subjects it denies, so its vector is close to substance; it is left out. "Nothing new" is
 * different: it says that there was a report.
 */
export function deniesContent(statement: string): boolean {
  return denials.some((denial) => denial.test(statement)) || deniesLater(statement);
}

/** The first denier of a line decides: tried after each, a line full of them would take the square of its length. */
function deniesLater(statement: string): boolean {
  let lineEnd = -1;
  for (const { index, 0: words } of statement.matchAll(denier)) {
    const start = index + words.length;
    if (start <= lineEnd) continue;
    const [line = ""] = /^.*/u.exec(statement.slice(start)) ?? [];
    if (denied.test(line)) return true;
    lineEnd = start + line.length;
  }
  return false;
}

/** With fewer words their language cannot be determined. */
const languageWordCountMin = 4;
/**
 * English interactions stay within 0.3 of English examples; other languages are at least 0.4 below, with few
 * exceptions.
 */
const stopWordShareGapMax = 0.4;

function* isComparableSteps(statements: readonly string[], examples: SubstanceVectors): Generator<void, boolean> {
  const words: string[] = [];
  for (const statement of statements) {
    words.push(...(yield* splitWordsSteps(statement)).filter((word) => !isNumber(word)));
    yield;
  }
  if (words.length < languageWordCountMin) return true;
  return stopWordShareOf(words) >= examples.stopWordShare - stopWordShareGapMax;
}

function stopWordShareOf(words: readonly string[]): number {
  return words.length === 0 ? 0 : words.filter((word) => toTerm(word) === null).length / words.length;
}

/** 0 for something new, 1 for the exact words of a memory. */
function familiarityOf(novelty: number): number {
  return Math.max(0, 1 - novelty / noveltyMax);
}

const specificityHalf = 3;

/** Distinct numbers and names as n / (n + 3): they are what people ask a memory for. */
function specificityOf(statements: readonly string[]): number {
  const details = new Set<string>();
  for (const statement of statements) {
    splitWords(statement).forEach((word, position) => {
      if (isNumber(word) || isName(word, position)) details.add(word.toLowerCase());
    });
  }
  return details.size / (details.size + specificityHalf);
}

function isNumber(word: string): boolean {
  return isNumberWord(word) || isSpelledNumber(word);
}

function isName(word: string, position: number): boolean {
  return position > 0 && /^\p{Lu}\p{Ll}/u.test(word) && !/^I['’]/u.test(word);
}

function nearestCategory(
  evidence: readonly Evidence[],
  { statementVectors }: SubstanceInput,
  { categories }: SubstanceVectors,
): string | null {
  let nearest: { name: string; closeness: number } | null = null;
  for (const { name, vectors } of categories) {
    const closeness = mean(evidence.map(({ position }) => nearestMean(statementVectors[position]!, vectors)));
    if (nearest === null || closeness > nearest.closeness) nearest = { name, closeness };
  }
  return nearest?.name ?? null;
}

function exampleMargin(
  vector: QuantizedVector,
  substantial: readonly QuantizedVector[],
  mundane: readonly QuantizedVector[],
): number {
  return nearestMean(vector, substantial) - nearestMean(vector, mundane);
}

/** Mean cosine with the nearest of `others`; 0 if there are none. */
export function nearestMean(vector: QuantizedVector, others: readonly QuantizedVector[]): number {
  const nearestFirst = others.map((other) => cosine(vector, other)).sort((a, b) => b - a);
  return mean(nearestFirst.slice(0, nearestCount));
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Within the range of `substanceThreshold`, so that its minimum commits everything and its maximum nothing. */
const scoreBound = 9.99;

export function clampScore(score: number): number {
  return Math.min(scoreBound, Math.max(-scoreBound, score));
}
