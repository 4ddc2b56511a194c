/** Whether a question asks how things were, and not how they are. */
const now =
  /\b(?:now|nowadays|currently|current|these days|at the moment|at present|right now|still|today['’]?s|latest|by now|any ?more)\b/iu;
const then =
  /\b(?:used to|before|previous(?:ly)?|former(?:ly)?|old|earlier|original(?:ly)?|at first|first|back then|in the past|last (?:year|month|week)|until|ever|history|over time|changed?|was|were|did|had|been)\b/iu;

export function asksAboutThen(question: string): boolean {
  return !now.test(question) && then.test(question);
}
