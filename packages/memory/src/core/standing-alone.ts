/**
 * Sentences of a longer text as a core summary can say them alone. "She" becomes the name that the text speaks of, a dose
 * gets back the medicine that was named before it, and a sentence that leaves out what it is about ("he refused because …")
 * is joined to the one before it. What still needs another sentence is left out: half a fact misleads.
 */
import type { TermStatistics } from "../text/keywords.js";
import { splitTerms, splitWords } from "../text/words.js";

/** Two sentences that need each other are one fact up to this length. */
const joinedWordCountMax = 40;

export function makeStandAlone(sentences: readonly string[], memories: TermStatistics): string[] {
  const named = nameSubjects(nameMedicines(sentences), memories);
  const alone: string[] = [];
  /** Whether the last of `alone` is the sentence before. */
  let isNext = false;
  for (const [i, sentence] of named.entries()) {
    const isWhole = sentence !== null && (i === 0 || !dangling.test(sentence));
    const before = isNext ? alone.at(-1)! : null;
    if (isWhole && !leavesOut.test(sentence)) alone.push(sentence);
    else if (isWhole && i === 0) alone.push(sentence);
    else if (isWhole && before !== null && areShort(before, sentence)) alone.splice(-1, 1, `${before} ${sentence}`);
    else {
      isNext = false;
      continue;
    }
    isNext = true;
  }
  return alone;
}

function areShort(...sentences: readonly string[]): boolean {
  return sentences.flatMap(splitWords).length <= joinedWordCountMax;
}

const pronoun = /^(?:she|he)(?=\s|['’])/iu;
/** What goes on about the same person. */
const ofHers = /^(?:her|his)\s/iu;
/** A name, and what of the sentence follows it. */
const subject = /^(\p{Lu}[\p{L}-]+)(?:['’]s)?(?=[,\s])/u;
const noNames: ReadonlySet<string> = new Set(
  (
    "a after again all also although an and another any as ask asked at because before both but by despite during each " +
    "either even every everything few for from given half he her his however i if in instead it its last later left " +
    "many more most mostly much my neither next no nobody none not nothing now of on once one only or other our out " +
    "over patient people perhaps she since so some somebody someone something still such than that the their then " +
    "there these they this those though through to today together tomorrow tonight too two under until up user we " +
    "what when where whether which while who why with without yesterday yet you your"
  ).split(" "),
);
const anyName = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}[\p{L}-]*/gu;
const calendar =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december)$/iu;

/** Somebody who is in this share of the memories is the one they are about; so many tell enough. */
const mainShareMin = 0.4;
const memoryCountMin = 3;

/**
 * "She" at the start of a sentence becomes the main person's name, if the text last spoke of her: at the start of a
 * sentence, or as the only one that it names. Null for a "she" who is somebody else.
 */
function nameSubjects(sentences: readonly (string | null)[], memories: TermStatistics): (string | null)[] {
  let name: string | null = null;
  return sentences.map((sentence) => {
    if (sentence === null) return null;
    const first = subject.exec(sentence)?.[1];
    if (pronoun.test(sentence)) {
      if (namesOf(sentence.replace(pronoun, "")).some((other) => isKnownMain(other, memories))) return null;
      return name === null ? sentence : sentence.replace(pronoun, name);
    }
    const names = namesOf(sentence);
    if (first !== undefined && !noNames.has(first.toLowerCase())) name = isMainName(first, memories) ? first : null;
    else if (names.length > 0) name = names.length === 1 && isKnownMain(names[0]!, memories) ? names[0]! : null;
    else if (!ofHers.test(sentence)) name = null;
    return sentence;
  });
}

/** Without days, months and what only begins a sentence. */
function namesOf(sentence: string): string[] {
  const names = (sentence.match(anyName) ?? []).map((name) => name.replace(/['’]s$/u, ""));
  return [...new Set(names)].filter((name) => !noNames.has(name.toLowerCase()) && !calendar.test(name));
}

function isMainName(name: string, memories: TermStatistics): boolean {
  return memories.documentCount < memoryCountMin ? splitTerms(name).length > 0 : isKnownMain(name, memories);
}

/** With few memories nobody can tell. */
function isKnownMain(name: string, { documentCount, documentFrequency }: TermStatistics): boolean {
  const [term] = splitTerms(name);
  return (
    documentCount >= memoryCountMin && term !== undefined && documentFrequency(term) >= mainShareMin * documentCount
  );
}

const dose = "\\d+(?:[.,]\\d+)? ?(?:mg|mcg|µg|micrograms?|milligrams?)(?!\\p{L})";
/** Endings that names of medicines have, and some that have none of them. */
const medicine =
  /(?<!\p{L})(?:\p{L}+(?:pril|sartan|olol|dipine|statin|prazole|xaban|gliptin|gliflozin|formin|cillin|mycin|floxacin|cycline|azole|triptyline|tazapine|oxetine|traline|alopram|azepam|zolam|glutide|mab|parin|thiazide|semide|actone|fen|proxen|codeine|morphine|adol|etamol|thyroxine|clone|nisolone|nisone|gabalin|pentin|triptan|setron|dronate|dronic|tidine|peridol|zapine|apine|idone|iprazole|arone|oxin|dopa|pexole|lukast|terol|sonide)|aspirin|warfarin|insulin|melatonin|lithium|iron|ferrous \p{L}+|clopidogrel|gliclazide)(?!\p{L})/giu;
/** "She will stay on 50 mg": of something that another sentence names. Any other word might be the medicine. */
const bareDose = new RegExp(
  "(?<!\\p{L})(?:she|he|they|i|we|the (?:daily )?dose)(?: (?:will|is to|may|can|has|had|now|still|only))* " +
    "(?:stays?|stayed|remains?|remained|takes?|took|is|was|keeps?|kept|continues?|continued|needs?|goes|went|gets?|got)" +
    `(?: (?:up|down|back|only|now|still|just|on|at|to|with))* (?<dose>${dose})` +
    "(?=[.,;!]|$| (?:a|per|daily|once|twice|two|three|four|every|each|at|in|with|for|from|until|and|but|now|again|only|before|after|on|instead)(?!\\p{L}))",
  "iu",
);

/** A bare dose gets the only medicine that the sentences before it speak of; null if there is none, or several. */
function nameMedicines(sentences: readonly string[]): (string | null)[] {
  const known = new Set<string>();
  return sentences.map((sentence) => {
    const own = sentence.match(medicine) ?? [];
    for (const each of own) known.add(each.toLowerCase());
    const found = own.length > 0 ? undefined : bareDose.exec(sentence)?.groups?.["dose"];
    if (found === undefined) return sentence;
    const [only, ...others] = known;
    return only === undefined || others.length > 0 ? null : sentence.replace(found, `${found} of ${only}`);
  });
}

const dangling =
  /^(?:they|it|this|that|these|those|then|but|and|so|or|both|neither|either|because|which|instead|otherwise|also|too|one (?:is|was|of)|the (?:real |main |only )?(?:reason|rest|latter|former|others?)(?= (?:is|are|was|were|has|had)|,))\b/iu;
/** A subject, what comes with a verb, and a verb. */
const does =
  "^[\\p{L}'’-]+(?: (?:has|had|have|is|was|will|would|did|does|do|never|not|also|still|now|again|always|then|since|once))* (?!(?:is|was|are|were|be|been)(?!\\p{L}))\\p{L}+";
/** What is done, without what it is done to. */
const leavesOut = new RegExp(
  `${does} (?:it|them|this|(?:so|one)(?=[.,;!]|$| (?:for|to|in|on|at|with|by|from)(?!\\p{L})))(?!\\p{L})|` +
    "^[\\p{L}'’-]+ (?:had |has |again |also |then )*(?:refused|declined|agreed|accepted|consented|objected)" +
    "(?:[.,;!]| (?:because|since|but|as|although|after|when|while)(?!\\p{L}))",
  "iu",
);
