/**
 * Calendar names in a question: months, weekdays and seasons, and whether a word that is also something else ("may",
 * "march", "sat", "June") stands for one.
 */
import { follow, readOrdinal, textAt, type Token } from "./time-words.js";

const monthWords = "january february march april may june july august september october november december".split(" ");
const weekdayWords = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const seasonMonths: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
/** Words that mean something else unless the context says they are a time. */
const doubtfulMonths: ReadonlySet<string> = new Set("march april may june august mar jun jan dec sep".split(" "));
const doubtfulWeekdays: ReadonlySet<string> = new Set("sun sat mon wed".split(" "));

const timePrepositions: ReadonlySet<string> = new Set(
  "in of on by at since until till til before after during around about over through throughout from to between early earlier mid late later last this next previous past following and or - than with that for towards toward every back".split(
    " ",
  ),
);

export function readMonth(tokens: readonly Token[], index: number): number | undefined {
  const text = textAt(tokens, index);
  const month = monthWords.findIndex((word) => word === text || (text.length === 3 && word.startsWith(text)));
  const found = month < 0 && text === "sept" ? 8 : month;
  if (found < 0) return undefined;
  return doubtfulMonths.has(text) && !standsAsTime(tokens, index) ? undefined : found;
}

/**
 * Whether the words next to the name of a month say that it is one: a preposition, a number, or "my June appointment".
 */
function standsAsTime(tokens: readonly Token[], index: number): boolean {
  if (/^\d{1,2}(?:st|nd|rd|th)?$|^\d{4}$/u.test(textAt(tokens, index + 1))) return true;
  const before = textAt(tokens, index - 1);
  if (/^\d{1,2}(?:st|nd|rd|th)?$/u.test(before) || readOrdinal(tokens, index - 1) !== undefined) return true;
  const token = tokens[index]!;
  if (!token.isCapital && token.text === "may") return surelyBefore.test(before);
  const theDay = follow(tokens, index + 1, "the");
  if (theDay >= 0 && readOrdinal(tokens, theDay) !== undefined) return true;
  if (follow(tokens, index + 1, "of? last|this year") >= 0) return true;
  if (/^(?:early|mid|late|last|this|next|-)$/u.test(before)) return true;
  if (token.isGenitive) return false;
  if (namePrepositions.has(before)) {
    return (
      textAt(tokens, index - 2).startsWith("compar") || tokens.some((_, i) => i !== index && isMonthName(tokens, i))
    );
  }
  if (isTimeWord(before)) return true;
  return token.isCapital && /^(?:the|my|your|his|her|our|their)$/u.test(before) && isNoun(tokens, index + 1);
}

/** Words that are never followed by a verb. */
const surelyBefore = /^(?:in|of|since|until|during|early|mid|late|last|on|-)$/u;

/** Words before which "June" may be a person. */
const namePrepositions: ReadonlySet<string> = new Set("with about for to and or than at that over".split(" "));

/** Definitely a month: either not also a person's name, or after a word of time. */
function isMonthName(tokens: readonly Token[], index: number): boolean {
  const text = textAt(tokens, index);
  const before = textAt(tokens, index - 1);
  if (!monthWords.includes(text)) return false;
  return !doubtfulMonths.has(text) || (isTimeWord(before) && !namePrepositions.has(before));
}

export function readWeekday(tokens: readonly Token[], index: number): number | undefined {
  const text = textAt(tokens, index);
  const weekday = weekdayWords.indexOf(text);
  if (weekday >= 0) return weekday;
  if (!/^(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)$/u.test(text)) return undefined;
  const before = textAt(tokens, index - 1);
  const isSure = tokens[index]!.isCapital ? isTimeWord(before) : /^(?:on|last|since|until|by|next)$/u.test(before);
  if (doubtfulWeekdays.has(text) && !isSure) return undefined;
  return weekdayWords.findIndex((word) => word.startsWith(text.slice(0, 3)));
}

/** First month of the season; half a year later south of the equator. */
export function readSeason(tokens: readonly Token[], index: number, timeZone: string): number | undefined {
  const text = textAt(tokens, index).replace(/time$/u, "");
  if (!Object.hasOwn(seasonMonths, text)) return undefined;
  const isSouth =
    /^(?:Australia|Antarctica)\/|\/(?:Auckland|Chatham|Johannesburg|Harare|Maputo|Windhoek|Sao_Paulo|Santiago|Montevideo|Asuncion)$|^America\/Argentina\//u.test(
      timeZone,
    );
  return (seasonMonths[text]! + (isSouth ? 6 : 0)) % 12;
}

/** Words after which a month, a season or a year is a time. */
export function isTimeWord(text: string): boolean {
  return timePrepositions.has(text);
}

/** Whether a word continues what the time describes, as in "the mid-April appointment"; guessed by elimination. */
export function isNoun(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return token !== undefined && /^\p{Ll}{2,}$/u.test(token.text) && !token.isCapital && !functionWords.has(token.text);
}

const functionWords: ReadonlySet<string> = new Set(
  `a about after all am an and any are as at be because been before between both but by can compared could did do does
  during either for from had has have he her him his how i if in into is it me my neither no not of on onto or our over
  she should since so than that the their them then there these they this those through to too towards under until us
  versus vs was we were what when where whether which while who whom whose why will with within without would you your
  again already also altogether ever exactly just only really still together alone though didn't wasn't hadn't weren't
  might must shall go say feel look compare seem come get take make show read tell find give instead please onwards onward now like against`.split(
    /\s+/u,
  ),
);
