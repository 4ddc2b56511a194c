/**
 * Splits text into words: the terms that keywords, the lexical index and summaries count. Case is folded, and English
 * endings are stemmed lightly so that "tablets" matches "tablet" and "walking" matches "walked"; scripts written
 * without spaces are split by the platform's own segmenter.
 */
import { finish } from "./steps.js";

/** Letters with what belongs to them ("don't", "B12"), or a number with its separators ("148/84", "36.9"). */
const wordPattern = /[\p{L}\p{M}]+\p{N}*(?:['’][\p{L}\p{M}]+)*|\p{N}+(?:[.,:/]\p{N}+)*/gu;
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Made when it is needed, because making it takes a while. */
let wordSegmenter: Intl.Segmenter | undefined;

/** Words as they appear in the text. */
export function splitWords(text: string): string[] {
  return finish(splitWordsSteps(text));
}

export function* splitWordsSteps(text: string): Generator<void, string[]> {
  const isUnspaced = hasUnspacedScript(text);
  const words: string[] = [];
  for (const [i, piece] of cutBetweenWords(text, isUnspaced).entries()) {
    if (i > 0) yield;
    for (const word of wordsOf(piece, isUnspaced)) words.push(word);
  }
  return words;
}

/** Whether any of a text is in a script written without spaces; all of it is then split by the platform's segmenter. */
export function hasUnspacedScript(text: string): boolean {
  return unspacedScript.test(text);
}

/** How many words a text has, if the whole it belongs to is or is not split by the segmenter. */
export function countWords(text: string, isUnspaced: boolean): number {
  let count = 0;
  for (const piece of cutBetweenWords(text, isUnspaced)) count += wordsOf(piece, isUnspaced).length;
  return count;
}

function wordsOf(piece: string, isUnspaced: boolean): readonly string[] {
  if (!isUnspaced) return piece.match(wordPattern) ?? [];
  wordSegmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of wordSegmenter.segment(piece)) if (isWordLike === true) words.push(segment);
  return words;
}

/** The platform's segmenters keep the whole text alive with every segment, so a long text is passed in pieces. */
const segmentedLengthMax = 500;
/** A text with spaces is cut at the first one after this many characters. */
const spacedLengthMin = 2_000;

function cutBetweenWords(text: string, isUnspaced: boolean): readonly string[] {
  if (isUnspaced) return cutText(text, segmentedLengthMax);
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > spacedLengthMin) {
    const end = spaceAfter(text, start + spacedLengthMin);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}

/** A text in pieces of at most `lengthMax`, cut after a space or the end of a sentence where possible. */
export function cutText(text: string, lengthMax: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > lengthMax) {
    const piece = text.slice(start, start + lengthMax);
    const lastBreak = Math.max(piece.lastIndexOf(" "), piece.lastIndexOf("。"), piece.lastIndexOf("、"));
    const isHalved = /[\uD800-\uDBFF]$/u.test(piece);
    const length = lastBreak > 0 ? lastBreak + 1 : isHalved ? lengthMax - 1 : lengthMax;
    pieces.push(text.slice(start, start + length));
    start += length;
  }
  return [...pieces, text.slice(start)];
}

/** Terms of a text in order, without words that carry no meaning of their own. */
export function splitTerms(text: string): string[] {
  return finish(splitTermsSteps(text));
}

export function* splitTermsSteps(text: string): Generator<void, string[]> {
  const isUnspaced = hasUnspacedScript(text);
  const terms: string[] = [];
  for (const [i, piece] of cutBetweenWords(text, isUnspaced).entries()) {
    if (i > 0) yield;
    if (isUnspaced) pushTerms(wordsOf(piece, isUnspaced), terms);
    else scanTerms(piece, terms);
  }
  return terms;
}

/**
 * The terms of what `wordPattern` finds. Words of plain letters and digits are found by their characters alone; on any
 * other word, the pattern takes over until the next space, which no word crosses.
 */
function scanTerms(text: string, terms: string[]): void {
  let start = 0;
  while (start < text.length) {
    const kind = kindAt(text, start);
    if (kind === other) {
      start++;
      continue;
    }
    const end = kind === letter ? letterWordEnd(text, start) : kind === digit ? numberEnd(text, start) : unknownEnd;
    if (end === unknownEnd) {
      const stretch = text.slice(start, spaceAfter(text, start));
      pushTerms(stretch.match(wordPattern) ?? [], terms);
      start += stretch.length;
      continue;
    }
    const term = toTerm(text.slice(start, end));
    if (term !== null) terms.push(term);
    start = end;
  }
}

function pushTerms(words: readonly string[], terms: string[]): void {
  for (const word of words) {
    const term = toTerm(word);
    if (term !== null) terms.push(term);
  }
}

const other = 0;
const letter = 1;
const digit = 2;
const beyondAscii = 3;
const unknownEnd = -1;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Za-z]/u.test(character) ? letter : /\d/u.test(character) ? digit : other;
});

function kindAt(text: string, at: number): number {
  if (at >= text.length) return other;
  const code = text.charCodeAt(at);
  return code < asciiKinds.length ? asciiKinds[code]! : beyondAscii;
}

/** Where the word of letters that begins at `start` ends, or `unknownEnd`. */
function letterWordEnd(text: string, start: number): number {
  let end = pastAll(letter, text, start);
  end = pastAll(digit, text, end);
  while (text[end] === "'") {
    const next = kindAt(text, end + 1);
    if (next === beyondAscii) return unknownEnd;
    if (next !== letter) return end;
    end = pastAll(letter, text, end + 1);
  }
  return kindAt(text, end) === beyondAscii ? unknownEnd : end;
}

/** Where the number that begins at `start` ends, or `unknownEnd`. */
function numberEnd(text: string, start: number): number {
  let end = pastAll(digit, text, start);
  while (end < text.length && ".,:/".includes(text[end]!)) {
    const next = kindAt(text, end + 1);
    if (next === beyondAscii) return unknownEnd;
    if (next !== digit) return end;
    end = pastAll(digit, text, end + 1);
  }
  return kindAt(text, end) === beyondAscii ? unknownEnd : end;
}

function pastAll(kind: number, text: string, start: number): number {
  let end = start;
  while (kindAt(text, end) === kind) end++;
  return end;
}

function spaceAfter(text: string, start: number): number {
  const space = text.indexOf(" ", start);
  return space === -1 ? text.length : space;
}

/** Words repeat, and the lexical index looks at every word of a person's memories. Cleared when full. */
const knownTerms = new Map<string, string | null>();
const knownTermCountMax = 40_000;

/** The term of a word, or null for a stop word. */
export function toTerm(word: string): string | null {
  let term = knownTerms.get(word);
  if (term === undefined) {
    if (knownTerms.size >= knownTermCountMax) knownTerms.clear();
    knownTerms.set(word, (term = makeTerm(word)));
  }
  return term;
}

function makeTerm(word: string): string | null {
  const folded = word
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/'(s|d|m|ve|ll|re)$/u, "");
  if (folded.length === 0 || isStopWord(folded)) return null;
  return stemWord(folded);
}

/** Whether a lower-cased word carries no meaning of its own. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function isNumberWord(word: string): boolean {
  return /\p{N}/u.test(word);
}

const spelledNumber =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|half)$/iu;

export function isSpelledNumber(word: string): boolean {
  return spelledNumber.test(word);
}

const vowel = /[aeiouy]/u;

/** The term of a lower-case word that is no stop word. */
function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z']+$/u.test(word)) return word;
  const singular = stemPlural(word);
  for (const ending of ["ing", "ed", "ly"]) {
    if (!singular.endsWith(ending)) continue;
    if (singular.endsWith("eed")) return singular.length > 5 ? singular.slice(0, -1) : singular;
    const base = singular.slice(0, -ending.length);
    if (base.length < 3 || !vowel.test(base)) return singular;
    return trimBase(base);
  }
  return cutFinalE(singular);
}

function stemPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/u.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/u.test(word)) return word.slice(0, -1);
  return word;
}

function trimBase(base: string): string {
  if (/([bdfgmnprt])\1$/u.test(base)) return base.slice(0, -1);
  return cutFinalE(base);
}

function cutFinalE(word: string): string {
  return word.length > 3 && /[^e]e$/u.test(word) ? word.slice(0, -1) : word;
}

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against ago ah all also although always am an and any anything are aren't around as ask
  asked asks at away back be because been before being below between both but by came can can't cannot come comes
  could couldn't day did didn't do does doesn't doing don't done down during each either else ever every everything few
  for from further gave get gets getting give given go goes going gone good got had hadn't has hasn't have haven't
  having he her here hers herself hi him himself his how however i if in into is isn't it its itself just keep kept
  knew know known let like little lot made make makes many may me might mine more most much must mustn't my myself near
  need never no nor not nothing now of off oh ok okay on once one only onto or other our ours ourselves out over own
  perhaps please put quite rather really said same saw say saying says see seem seems seen shall shan't she should
  shouldn't since so some something soon still such sure take taken takes tell than thank thanks that the their theirs
  them themselves then there these they thing things think this those though thought through to today told tomorrow too
  took toward towards two under until up upon us use used using very want wanted wants was wasn't way we well went were
  weren't what when where whether which while who whole whom whose why will with within without won't would wouldn't
  yes yesterday yet you your yours yourself yourselves assistant user`.split(/\s+/u),
);
