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
const pronoun = /^\P{L}*(?:(?:and|but|so|also|then|cos|because)[, ]+)?(?:he|she|they|it|his|her|their|its|him|them|that|this|these|those|there|same|both|neither|one|which)(?:['’]\p{L}+)?(?!\p{L})/iu;

export function pointsBack(text: string): boolean {
  return pronoun.test(text);
}

/** What a summary tells of the assistant. */
export function isOfAssistant(text: string): boolean {
  return /^(?:the )?(?:assistant|ai|chatbot|companion|model)\b/iu.test(text);
}
