/** Words whose meaning depends on the day on which they were said, and pronouns that need a name. */
const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const dayWords = new RegExp(
  `\\b(?:today|tonight|tomorrow|yesterday|this (?:morning|evening|week|month|year)|(?:next|last) (?:week|month|year|night|\\p{L}+day)|just|now|since|from \\p{L}+day|in (?:${months}))\\b`,
  "iu",
);

export function dependsOnDay(text: string): boolean {
  return dayWords.test(text);
}

/** "She starts in May": of whom, only the sentence before says. */
const pronoun =
  /^\P{L}*(?:(?:and|but|so|also|then|cos|because)[, ]+)?(?:he|she|they|it|his|her|their|its|him|them|that|this|these|those|there|same|both|neither|one|which)(?:['’]\p{L}+)?(?!\p{L})/iu;

export function pointsBack(text: string): boolean {
  return pronoun.test(text);
}

const kin =
  "mum|mom|mam|mummy|mother|dad|daddy|father|parents?|sons?|daughters?|kids?|child|children|babys?|baby|brothers?|sisters?|siblings?|twins?|" +
  "wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|gf|bf|ex|gran|granny|grandma|grandad|grandpa|grandmother|grandfather|nan|nana|uncle|" +
  "aunt|auntie|cousins?|nephew|niece|neighbou?rs?|friends?|mates?|flatmate|roommate|boss|manager|colleague|landlord|landlady|doctor|gp|nurse|" +
  "carer|physio|therapist|dentist|teacher|tutor|coach|dog|puppy|cat|kitten|horse|rabbit|hamster|parrot|budgie|canary";
const somebody = new RegExp(`(?<![\\p{L}])(?:${kin})(?:['’]?s)?(?![\\p{L}])`, "iu");
const capital =
  /(?<=[\p{L}\p{N},;:)] )\p{Lu}\p{Ll}+|^(?:Mr|Mrs|Ms|Dr)\b|^\p{Lu}\p{Ll}+(?=['’]s\b| (?:is|was|has|had|lives|works|takes|needs|goes|wants|can|will|and)\b)/u;

/** Whether a text says of whom it speaks: by name, or by what they are to the person. */
export function namesSomebody(text: string): boolean {
  return somebody.test(text) || capital.test(text);
}
