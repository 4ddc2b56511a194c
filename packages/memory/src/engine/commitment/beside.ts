/**
 * Things of which people have several: medicines, pets, children, illnesses. Another one does not end the first, and a
 * medicine that is still taken must not go unsaid because of a new one: "I take ibuprofen now" is no end of "I'm on
 * warfarin". Only what names the first, or tells of a change, may end it. In doubt both stay, and a correction ends it.
 */
import { isNumberWord, isSpelledNumber, splitTerms } from "../../core/text/words.js";
import { endWords } from "./ends.js";
import { wordPattern } from "./own-words.js";
import type { Told } from "./warnings.js";

const changing = wordPattern(
  `${endWords}|it|them|that one|off|only|just|back|other|another (?:one|kind)|new|ended|lost|died|dead|passed away|` +
    "chang(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|substitut\\p{L}+|swap|switch|rehomed|gone|dose|dosage|strength|" +
    "increased?|upped|raised?|doubled?|halved?|reduced?|lowered?|down|up|correction|actually|\\p{L}+n['’]t|not|never",
  "iu",
);
/** Words that go with many medicines, or tell nothing of what is had. */
const common = new Set(
  splitTerms(
    "take takes taking took use uses using start started prescribe prescribed have having got getting give given doctor " +
      "nurse tablet tablets pill pills medicine drug mg mcg ml units drops daily day week month morning evening night " +
      "lunch dinner breakfast bed once twice times hour hours every before after called named year years old now " +
      "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays",
  ),
);
const having = wordPattern(
  "(?:i|we)(?:['’]ve| have)?(?: (?:now|also|just|still))? (?:have|got|own|adopted|keep|had)(?: got)? " +
    "(?:a|an|one|two|three|four|\\d+|some)",
  "iu",
);
const ofSeveral: ReadonlySet<string> = new Set(["people", "health"]);
/** Shorter ones are in many sentences. */
const termLengthMin = 3;

const all = wordPattern(
  "all|both|just|only|nothing else|everything|every|each|any|them|whole lot|alle?|tout(?:es|e)?|tous|todos?|todas?|tutt[oie]",
  "iu",
);
/** Without one of these a comma is just a pause: "I'm on pens, Tresiba at night". */
const and = /(?<!\p{L})(?:and|plus|und|et|y|e|en)(?!\p{L})|&/iu;
const between = new RegExp(`[,;\\n]|${and.source}`, "iu");
const ending = wordPattern(`${endWords}|(?:took|taken|take|came|come|coming|am|is) (?:\\p{L}+ )?off|ended`, "iu");
/** What a medicine is for, and when it is taken. */
const beyond = / (?:for|because|since|against|when|in|at|with|after|before) /iu;

/** Whether what is told now ends one of several medicines that were told at once: the others are still taken. */
export function endsPart({ text, facts }: Told, now: string): boolean {
  const isMedicine = (facts ?? []).some(({ area }) => area === "medicine");
  if (!isMedicine || !and.test(text) || !ending.test(now) || all.test(now)) return false;
  const named = new Set(thingsIn(now));
  const items = text.split(between).map((item) => thingsIn(item.split(beyond)[0]!));
  const listed = items.filter((things) => things.length > 0);
  const namedCount = listed.filter((things) => things.some((thing) => named.has(thing))).length;
  return namedCount > 0 && namedCount < listed.length;
}

/** Whether what is told now is another thing of the kind. */
export function standsBeside({ text, facts }: Told, now: string): boolean {
  const areas = (facts ?? []).map(({ area }) => area);
  const isMedicine = areas.includes("medicine");
  const isHad = areas.some((area) => ofSeveral.has(area)) && having.test(text) && having.test(now);
  if ((!isMedicine && !isHad) || changing.test(now)) return false;
  const things = thingsIn(now);
  const known = new Set(thingsIn(text));
  return things.length > 0 && !things.some((term) => known.has(term));
}

function thingsIn(text: string): string[] {
  return splitTerms(text).filter(
    (term) => term.length >= termLengthMin && !common.has(term) && !isNumberWord(term) && !isSpelledNumber(term),
  );
}
