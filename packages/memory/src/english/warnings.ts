/**
 * Warnings: an allergy, an implant, what somebody must never be given. Not to say one any longer can hurt a person, and a
 * reader may take "I'm vegan now" for the end of "I'm allergic to nuts". So only what speaks of a warning itself ends it: of
 * an allergy with a word for it, of anything else with a word that it has. In doubt both stay, and a correction ends it.
 */
import { splitWords, toTerm } from "../text/words.js";
import { isUnsure, onlyAsks } from "./clauses.js";
import { relatives } from "./ends.js";
import { wordPattern } from "./word-pattern.js";

/** Words that leave no doubt. */
export const warningWords =
  /(?<!\p{L})(?:al+[eé]rg\p{L}*|anaphyla\p{L}*|intoleran\p{L}*|epipens?|adrenaline pens?|pacemaker|defibrillator|resuscitat\p{L}*|blood thinners?)(?!\p{L})/iu;
/** Somebody who is spoken of in the first person, or by what they are to the speaker. */
const ofSomebody = wordPattern("i|im|i['’]m|i['’]ve|ive|me|my|we|our|us", "iu");

/** Whether a warning of somebody's own is told, whatever a reader makes of it, unless it is asked or unsure. */
export function tellsOwnWarning(text: string): boolean {
  return warningWords.test(text) && ofSomebody.test(text) && !onlyAsks(text) && !isUnsure(text);
}

const allergyWords = /(?<!\p{L})(?:al+[eé]rg|anaphyla|intoleran)\p{L}*/giu;
const negation =
  /(?<!\p{L})(?:no|not|never|without|none|\p{L}+n['’]t|outgr[eo]wn?|clear(?:ed)?|gone|cured|negative|kein\p{L}*|nicht|plus|pas|non|niet|geen|não)(?!\p{L})/iu;
/** Shorter ones are in many sentences. */
const termLengthMin = 3;

/** Whether what is told now is about this warning. */
export function speaksOfWarning(warning: string, now: string): boolean {
  const isOfAllergy = warning.search(allergyWords) !== -1;
  if (isOfAllergy && now.search(allergyWords) === -1) return false;
  const known = new Set(termsOf(warning));
  return termsOf(now).some((term) => known.has(term)) || (isOfAllergy && negation.test(now));
}

/** Besides whom it is about. */
function termsOf(text: string): string[] {
  const words = splitWords(text.replaceAll(allergyWords, " ").replaceAll(relatives, " "));
  const things = words.filter((word) => !/^\p{Lu}/u.test(word)).flatMap((word) => toTerm(word) ?? []);
  return things.filter((term) => term.length >= termLengthMin);
}
