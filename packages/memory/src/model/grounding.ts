/**
 * Whether a text says only what its source supports, as far as words can tell: every number and every name has to be in
 * the source, as do some of the other words, and the text must not repeat itself. Small models invent, lose the thread
 * and go in circles, and an invented dose is worse than no summary.
 */
import { splitSentences, splitSentencesSteps } from "../text/sentences.js";
import { isNumberWord, isSpelledNumber, splitTerms, splitWords, splitWordsSteps, toTerm } from "../text/words.js";

const spelled: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen nineteen twenty"
  )
    .split(" ")
    .map((word, number) => [word, String(number)]),
);
/** Where all nouns are capitalized, a capital does not mark a name: this many of them, and this share. */
const capitalCountMax = 4;
const capitalShareMax = 0.2;

/** Below this share of distinct word sequences a text goes in circles; plain prose is above 0.9. */
const distinctRunShareMin = 0.5;
const runLength = 3;

const wordsPerStep = 500;

export class Source {
  readonly #words: ReadonlySet<string>;
  readonly #terms: ReadonlySet<string>;
  readonly #capitalsAreNames: boolean;

  private constructor(words: ReadonlySet<string>, terms: ReadonlySet<string>, capitalsAreNames: boolean) {
    this.#words = words;
    this.#terms = terms;
    this.#capitalsAreNames = capitalsAreNames;
  }

  static *readSteps(text: string): Generator<void, Source> {
    const words = yield* splitWordsSteps(text);
    const forms = new Set<string>();
    const terms = new Set<string>();
    for (const [i, word] of words.entries()) {
      if (i % wordsPerStep === 0) yield;
      for (const form of wordForms(word)) forms.add(form);
      const term = toTerm(word);
      if (term !== null) terms.add(term);
    }
    let capitalCount = 0;
    for (const sentence of yield* splitSentencesSteps(text)) {
      capitalCount += namesIn(sentence).length;
      yield;
    }
    return new Source(forms, terms, capitalCount <= Math.max(capitalCountMax, capitalShareMax * words.length));
  }

  /** Numbers and names of `text` that the source lacks. */
  inventionsIn(text: string): string[] {
    return splitSentences(text).flatMap((sentence) => {
      const numbers = splitWords(sentence).filter(isNumber);
      const names = this.#capitalsAreNames ? namesIn(sentence) : [];
      return [...numbers, ...names].filter((word) => !this.#supports(word));
    });
  }

  /** Share of the terms of `text` that the source also has; 1 for a text without terms. */
  sharedTermShare(text: string): number {
    const terms = splitTerms(text);
    return terms.length === 0 ? 1 : terms.filter((term) => this.#terms.has(term)).length / terms.length;
  }

  sharesTerm(text: string): boolean {
    return splitTerms(text).some((term) => this.#terms.has(term));
  }

  /** The sentences of `text` without inventions, joined into one text. */
  supportedSentences(text: string): string {
    return splitSentences(text)
      .filter((sentence) => this.inventionsIn(sentence).length === 0)
      .join(" ");
  }

  #supports(word: string): boolean {
    if (wordForms(word).some((form) => this.#words.has(form))) return true;
    const term = toTerm(word);
    return term !== null && this.#terms.has(term);
  }
}

/** Whether most of a text repeats itself. */
export function isCircular(text: string): boolean {
  const words = splitWords(text.toLowerCase());
  const runs = words.slice(runLength - 1).map((_, i) => words.slice(i, i + runLength).join(" "));
  return runs.length > runLength && new Set(runs).size < distinctRunShareMin * runs.length;
}

/** "One" and "half" are not only numbers. */
function isNumber(word: string): boolean {
  return isNumberWord(word) || (isSpelledNumber(word) && !/^(?:one|half)$/iu.test(word));
}

/** Capitalized words with meaning that do not begin the sentence. */
function namesIn(sentence: string): string[] {
  return splitWords(sentence)
    .slice(1)
    .filter((word) => /^\p{Lu}\p{Ll}/u.test(word) && toTerm(word) !== null);
}

/** "two" and "2", "1.50" and "1.5": the forms under which a number or a word is looked up. */
function wordForms(word: string): string[] {
  const folded = word.toLowerCase();
  const number = Number(folded.replace(",", "."));
  return [folded, spelled[folded] ?? folded, Number.isNaN(number) ? folded : String(number)];
}
