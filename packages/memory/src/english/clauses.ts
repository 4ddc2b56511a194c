/**
 * Where a sentence tells a second thing: "I'm Ines, 41, I work at Fjordline". A clause with a subject of its own after a
 * comma or an "and" is cut off, so that it can change alone. Conditions, reasons and reported speech stay whole: "if I had
 * a dog, I'd call it Pixel" says nothing about a dog.
 */
import { splitWords } from "../text/words.js";

const subject =
  "(?:i|i['’](?:m|ve|d|ll)|im|ive|id|ill|we|we['’](?:re|ve|ll|d)|weve|my|our|he|she|they|(?:he|she)['’]s|they['’](?:re|ve)|(?:mum|mom|dad|nan|gran)(?:['’]s)?)";
const border = new RegExp(
  `(?<!\\s)(?:(?:\\s*[,;]\\s*|\\s+[-–—]+\\s+|\\s*—\\s*)(?:(?:and|but|so|plus|also)\\s+)?(?=${subject}\\s)|\\s+(?:and|but|plus|also)\\s+(?=${subject}\\s))`,
  "giu",
);
/** A sentence that begins or goes on like this is one thought. */
const bound =
  /^(?:if|when|whenever|unless|until|while|although|though|since|because|cos|imagine|suppose|say|pretend|in case|even if|once|as soon as)\b|\b(?:if|because|cos|coz|so that|says?|said|tells?|told|thinks?|thought|reckons?|hopes?|hoped|knows?|knew|wish(?:es)?|asked|writes?|wrote|means?|meant|imagine|pretend|suppose|whether|that)\b/iu;
const wordCountMin = 2;
const fewWordsLength = 100;

/** People who write without capitals still end their sentences, and a segmenter hears no end before a small letter. */
const smallStart = /(?<=[\p{L}\p{N})\]"'”’%]{2}[.!?]{1,3}["'”’)]?)\s+(?=[\p{Ll}\p{N}])/u;
const abbreviation =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|approx|dept|e\.?g|i\.?e|etc|no|nr|ca|inc|ltd|tel|[ap]\.?m|\p{L})\.$/iu;

/** A sentence in one or more clauses that can stand for themselves. */
export function splitClauses(sentence: string): string[] {
  const parts: string[] = [];
  for (const part of sentence.split(smallStart)) {
    const last = parts.at(-1);
    if (last !== undefined && abbreviation.test(last)) parts[parts.length - 1] = `${last} ${part}`;
    else parts.push(part);
  }
  return parts.flatMap(splitAtSubjects).flatMap(splitLists);
}

/** "the code is 7731, the wifi is mushroom, my landlord is called Gary": a list of sentences. */
const verb =
  /^(?:[^:]{1,40}: )?(?:[\p{L}\p{N}'’-]+ ){1,5}(?:is|are|was|has|have|takes?|needs?|lives?|works?|goes|comes|can['’]?t|won['’]?t)\b/iu;
const own = /^(?:[^:]{1,40}: )?(?:i|we|my)\b/iu;
/** What goes on like this says something of what stands before it. */
const dependent =
  /^(?:who|whom|whose|which|where|when|while|although|though|as|since|until|unless|before|after|but|or|nor|so|then)\b/iu;

function splitLists(sentence: string): string[] {
  const [first, ...others] = sentence.split(/(,\s+(?:and )?)/u) as [string, ...string[]];
  if (others.length === 0 || bound.test(sentence) || !(verb.test(first) || own.test(first))) return [sentence];
  const clauses = [first];
  for (let i = 0; i < others.length; i += 2) {
    const [comma, part] = [others[i]!, others[i + 1]!];
    if (verb.test(part) && !dependent.test(part)) clauses.push(part);
    else clauses[clauses.length - 1] += comma + part;
  }
  return clauses;
}

function splitAtSubjects(sentence: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const { index, 0: words } of sentence.matchAll(border)) {
    const before = sentence.slice(start, index);
    // It would be bound at every later place, too.
    if (bound.test(before.trim())) break;
    const after = sentence.slice(index + words.length, index + words.length + fewWordsLength);
    if ([before, after].some((part) => splitWords(part).length < wordCountMin)) continue;
    clauses.push(before.trim());
    start = index + words.length;
  }
  return [...clauses, sentence.slice(start).trim()];
}

/** Words of somebody who does not say that it is so; a month is none. */
const unsure =
  /\b(?:might|(?<!\b(?:in|of|on|since|until|till|by|from|before|after|for|during|this|last|next|early|late|mid)[ -]|\d(?:st|nd|rd|th)? )may(?= (?!is\b|was\b|has\b|had\b|and\b|or\b|the\b)\p{L})|maybe|perhaps|possibly|probably|could be|thinking (?:of|about)|thinking i|considering|wondering|not sure|no idea|undecided|or not|someday|one day|if (?:i|we|you|he|she|they|only)|wish i|would (?:be|have|love|like)|i['’]d (?:be|have|love|like|call|buy)|should (?:i|we)|shall (?:i|we)|hoping to|tempted|fancy|dream(?:ing|t|ed)?|pretend|imagine|suppose)\b/iu;

export function isUnsure(text: string): boolean {
  return unsure.test(text);
}

/** How questions begin; in a chat they often have no mark. */
const asking =
  /^(?:(?:so|and|but|ok|okay|oh|hey|wait|btw|well|um|right)[, ]+)*(?:who|whom|whose|what|when|where|why|how|which|am|are|is|was|were|do|does|did|can|could|should|would|will|shall|have|has|had|may|might|must|whats|wheres|whos|hows|isn['’]?t|aren['’]?t|don['’]?t you|doesn['’]?t|didn['’]?t|won['’]?t|can['’]?t (?:i|you|we)|any (?:idea|ideas|tips|chance))\b/iu;
/** What makes a question tell something all the same: "did I tell you that …?". */
const telling = /\b(?:did i (?:tell|mention|say)|have i (?:told|mentioned|said)|you know|remember|forget|forgot)\b/iu;
const questionWords =
  /^(?:(?:so|and|but|ok|okay|oh|hey|wait|btw)[, ]+)*(?:(?:what|who|where|when|why|how|which|whose)(?:['’]?s\b|\b(?! (?:i|we|he|she|they|my|our)\b))|(?:do|have)(?:n['’]?t)? (?:i|you|u|ya|we|they)\b|(?:am|are|is|was|were|does|did|has|had|can|could|will|would|should)(?:n['’]?t)? (?:i|you|u|ya|your|ur|he|she|it|we|they|his|her|their|the|that|this|there|any)\b)/iu;
const questionLengthMax = 400;

export function isQuestion(sentence: string): boolean {
  return sentence.endsWith("?") || questionWords.test(sentence.slice(0, questionLengthMax));
}

/** Whether a statement asks and tells nothing. */
export function onlyAsks(sentence: string): boolean {
  const text = sentence.trim();
  if (telling.test(text)) return false;
  return questionWords.test(text.slice(0, questionLengthMax)) || (text.endsWith("?") && asking.test(text));
}
