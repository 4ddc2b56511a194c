/**
 * What a text says is over: "I no longer live in Munich", "she gave up melatonin", "the gym is over". Whoever tells of an
 * end says more than the statement that began it, so it is never a repetition of that, whatever it sounds like. Read by
 * words, in English and, more roughly, in six other languages; nothing is lost where an end is seen that is none.
 */
import { splitTerms } from "../text/words.js";
import { wordPattern } from "./word-pattern.js";

const some = "[^.;:!?\\n]{0,40}?";
const words: readonly string[] = [
  "no (?:longer|more)|never again|for good|(?:not|never|\\p{L}+n['’]t|dont|doesnt|isnt|arent|cant|wont) " +
    `(?:${some} )?(?:any ?more|any longer|no more)|anymore`,
  "stopped|gave up|given up|giving up|quit|came off|discontinued|cancell?ed|ditched|dropped|broke off|done with|finished",
  "used to|(?:is|are|was|were|['’]s) over|instead(?! of)|switched|swapped|sold|retired|split up|broke up|moved (?:out|away|from)",
  // German.
  `nicht mehr|kein(?:e|en|em|er|es)? (?:${some} )?mehr|nie wieder|abgesetzt|aufgehört|aufgegeben|vorbei|statt(?:dessen)?`,
  "sondern|verkauft|gekündigt|ausgezogen|umgezogen|weggezogen|beendet|getrennt|gestorben",
  // French.
  `ne (?:${some} )?plus|(?:je|tu|il|elle|on|nous|vous|ils|elles) \\p{L}+ plus`,
  "arr[êe]t[ée]e?|quitté|terminé|à la place|au lieu|vendue?|retraite|séparés?",
  // Spanish.
  `ya no|no (?:${some} )?más|nunca más|dejé|dejó|dejado|(?:se )?acabó|en (?:su|vez|lugar)(?: de)?|vendí|vendido`,
  // Italian.
  `non (?:${some} )?pi[ùu]|smess[oa]|lasciato|finit[oa]|invece|al posto|vendut[oa]`,
  // Dutch.
  `niet meer|geen (?:${some} )?meer|gestopt|opgehouden|voorbij|in plaats|verkocht|opgezegd|afgelopen|overleden`,
  // Portuguese.
  `não (?:${some} )?mais|já não|nunca mais|parei|parou|larguei|deixei|deixou|acabou|em vez|no lugar|vendi`,
];
/** A pattern. */
const endWords = words.join("|");
const endPattern = wordPattern(endWords, "iu");

/** A comma within a number ends nothing. */
const clauseEnd = /[.,](?!\d)|[;:!?\n]|(?<!\p{L})(?:and|but|because|und|aber|weil|pero|porque|maar)(?!\p{L})/iu;
/** Shorter ones are articles and the like in most languages. */
const termLengthMin = 4;

/** The terms of each clause that tells of an end, without the words that do. */
function readEnds(text: string): ReadonlySet<string>[] {
  return splitClauses(text).flatMap((clause) => {
    if (!endPattern.test(clause)) return [];
    return [new Set(splitTerms(withoutEndWords(clause)).filter((term) => term.length >= termLengthMin))];
  });
}

function splitClauses(text: string): string[] {
  // "n'habite" is "ne habite", and "j'habite" has the same verb.
  return text.replaceAll(/(?<!\p{L})([jnldcsmt]|qu)['’](?=\p{L})/giu, "$1e ").split(clauseEnd);
}

/** "not in York any more" without its first and its last words. */
function withoutEndWords(clause: string): string {
  return clause.replace(endPattern, (words) => words.replace(/^\S+ ?|(?:any )?(?<!\S)\S+$/giu, " "));
}

/** Whether a text tells of an end or a change in any clause. */
export function tellsOfEnd(text: string): boolean {
  return endPattern.test(text) || changePattern.test(text);
}

const changePattern = wordPattern(
  "left|quit(?:ted|ting)?|fired|laid off|divorced|separated|died|passed away|gone|replaced|changed|cancel(?:l?ed|s)?|moved|new|now|back|since|" +
    "from (?:now|today|tomorrow|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|took me off|taken off|off the|closed|shut|" +
    "put (?:down|to sleep)|gave away|(?:not|n['’]t|dont|isnt|cant|wont|no)",
  "iu",
);

/** Words that stand for a whole area of life where something in it ends: "I quit my job" names no employer. */
const areaWords: Readonly<Record<string, RegExp>> = {
  work: wordPattern("job|work|position|post|employer|company|boss|shifts?", "iu"),
  home: wordPattern("house|flat|apartment|place|home|landlord|lease|tenancy", "iu"),
  people: wordPattern("divorced?|separated|broke up|split up|single|widow(?:ed)?", "iu"),
};

export function namesArea(text: string, area: string): boolean {
  return areaWords[area]?.test(text) ?? false;
}

/** Whether the newer of two texts tells of the end of something that the older one states. */
export function tellsEndOf(older: string, newer: string): boolean {
  const ends = readEnds(newer);
  if (ends.length === 0) return false;
  const stated = new Set(splitTerms(older));
  const known = readEnds(older);
  return ends.some((terms) =>
    [...terms].some((term) => stated.has(term) && !known.some((earlier) => earlier.has(term))),
  );
}

export const relatives = wordPattern(
  "mum|mom|mam|mummy|mother|dad|daddy|father|son|daughter|brother|sister|wife|husband|partner|girlfriend|boyfriend|gran|" +
    "granny|grandma|grandad|grandpa|grandmother|grandfather|nan|uncle|aunt|cousin|nephew|niece|neighbou?r|friend|boss|colleague",
);

/** Whether an end is told of one relative, and the other text speaks of another. */
export function areOfOthers(older: string, newer: string): boolean {
  const [before, after] = [older, newer].map((text) => new Set(text.toLowerCase().match(relatives))) as [
    Set<string>,
    Set<string>,
  ];
  return before.size > 0 && after.size > 0 && endPattern.test(newer) && ![...before].some((each) => after.has(each));
}
