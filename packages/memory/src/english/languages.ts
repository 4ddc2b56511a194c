/**
 * Whether the judge, which reads English only, can compare two statements. Decided by the small words that every sentence
 * has: there must be two of other languages, and more than of English.
 */
import { splitWords } from "../text/words.js";

const english = toSet(
  "i i'm i've i'd my the and to of have has had with at for that this it it's are were not don't don doesn't didn't isn't " +
    "dont im ive be been he she his her they them their you your our us now any every from by an after who but or if than",
);
const others = toSet(
  // Of those shared with English or its dialects none, as "mi", "da" and "per". German, French, Spanish, Italian, Dutch, Portuguese.
  "ich mich mir du wir ihr der das den dem ein eine einen einer und nicht kein keine keinen ist sind mein meine meinen mit " +
    "auf für bei seit hab habe haben zum zur von nach aber jetzt mehr " +
    "je j'ai tu il elle nous vous ils le les un une des du est et mon mes sa ses pour avec dans ne pas plus mais depuis " +
    "qui que chez au aux c'est " +
    "el la los las una es mis su en por para ya ahora del al se lo pero desde muy " +
    "gli lo è mio mia di che non con della nel più ho sono ora adesso " +
    "ik het een mijn niet geen voor met naar nu zijn hij ze maar heb hebben bij op " +
    "os um uma é meu minha não em com mais agora eu já ao numa num foi",
);

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Whether texts, taken together, are in another language than English. */
export function isForeign(...texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => splitWords(text.toLowerCase().replaceAll("’", "'")));
  const count = (known: ReadonlySet<string>): number => words.filter((word) => known.has(word)).length;
  return isOtherScript(texts.join(" ")) || count(others) > Math.max(1, count(english));
}

function isOtherScript(text: string): boolean {
  const letterCount = text.match(/\p{L}/gu)?.length ?? 0;
  const latinCount = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latinCount * 2 < letterCount;
}
