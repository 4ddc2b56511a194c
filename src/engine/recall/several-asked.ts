/**
 * Whether a question asks for several things: a list, a count, a first or a last, a comparison. Its answer is spread over
 * memories, each of which has a part of it, so a context needs a sentence from many rather than many from one. A
 * hand-written reader of English; a question it does not know asks for one thing.
 */

/** Real questions are shorter; anything beyond is not read. */
const readLengthMax = 2000;

const auxiliary =
  "(?:am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)(?:n['’]t)?";
/** What follows a noun that a question begins with: "which books did", "what plans I made", "what sorts of". */
const afterNoun = `(?=\\s*(?:$|[?.,]|\\b(?:${auxiliary}|i|you|we|they|he|she|of|in|on|at|for|from|with|to|about|that)\\b))`;
/** Ends like a plural, and is not "class", "bus", "tennis", "Texas", nor one of those that only look like one. */
const plural =
  "(?!(?:does|has|goes|news|lens|series|means)\\b)(?:[\\p{L}-]+[b-hj-rtv-z]s|people|children|men|women|kids|persons)\\b";

/** "Last week" says when, "how long did it last" asks for a duration. */
const timeUnit = "(?:second|minute|hour|day|night|week|weekend|month|year|decade|century)s?";
const season = "(?:spring|summer|autumn|fall|winter|christmas|easter|semester|term)";
const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\p{L}*";
const notLast = `(?!\\s+(?:${timeUnit}|${season}|${month}|\\p{L}+day|\\d+|two|three|four|five|six|few|couple|several|name|long)\\b)`;

/** By what a question asks for; the first that matches counts. */
const patterns = {
  count: [String.raw`\b(?:how (?:many|often|frequently|regularly)|number of|in total|altogether)\b`],
  order: [
    String.raw`\bfirst\b(?!\s+(?:names?|aid|class|floor|language)\b)`,
    String.raw`(?<!\bhow long\b.*)\blast\b${notLast}`,
    String.raw`\b(?:earliest|latest|(?:most|least) recent(?:ly)?|(?:what|which) order|before or after|(?:history|timeline) of)\b`,
  ],
  comparison: [
    String.raw`\b(?:both|either|neither|in common|compared?|comparison|versus|vs|than|similar(?:ly|ity|ities)?|alike|the same)\b`,
    String.raw`\b(?:differ(?:s|ed|ences?|ent|ently)?|(?:the|more|less|most|least) (?:most|least|often)|which of|or)\b`,
  ],
  list: [
    String.raw`\b(?:what|which|whose)\s+(?:(?!${auxiliary}\b)[\p{L}'’-]+\s+){0,3}?${plural}${afterNoun}`,
    String.raw`\b(?:what|which|who)(?:\s+(?:are|were)|['’]re)\b(?!\s+(?:you|we|they)\b)`,
    // The perfect looks back over all of a time: "where have we been".
    String.raw`\b(?:what|which|who|where|how)(?:\s+(?:[\p{L}'’-]+\s+){0,2}?(?:has|have)|['’]ve)\b`,
    String.raw`\b(?:(?:kind|type|sort|example)s? of|ways|(?:what|who|where|which|when|how) (?:all|else))\b`,
    String.raw`\b(?:list|enumerate|sum up|summari[sz]e|name (?:all|some|the|two|three|four|five|a few|several))\b`,
    String.raw`\b(?:all|each|every|everything|everyone|everybody|several|various|others?)\b`,
    String.raw`\b(?:besides|(?:apart|aside) from|in addition to|as well as)\b`,
  ],
} as const;

const readers = Object.entries(patterns).map(
  ([kind, any]) => [kind as SeveralAsked, new RegExp(any.join("|"), "iu")] as const,
);

export type SeveralAsked = keyof typeof patterns;

/** Null for a question that asks for one thing. */
export function readSeveralAsked(question: string): SeveralAsked | null {
  const text = question.slice(0, readLengthMax);
  return readers.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
