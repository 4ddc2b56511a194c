/**
 * Where somebody hands over text for a task: what follows "translate this:" is not what they say of themselves. The
 * forms that need no words (code, quoted lines, tables) are read in reader/material.ts.
 */

const verbs =
  "translate|proof ?read|fix|correct|check|edit|rewrite|reword|rephrase|paraphrase|polish|shorten|summari[sz]e|sum up|tidy|clean up|improve|convert|format|explain|analy[sz]e|review|compare|grade|mark|continue|finish|complete|reply to|respond to|answer|type up|turn|put|make|read|debug|parse|extract|classify|grammar check|spell ?check";
/** A request that is about words that follow it. */
const request = new RegExp(
  `^(?:(?:hi|hey|hello|ok|okay|so|and|also|now|pls|please|plz|can|could|would|will|you|u|quickly|just|help me|i need (?:you )?to|i want (?:you )?to)[, ]+)*(?:${verbs}|write|draft|what['’]?s|whats|how (?:do|would) (?:i|you) say|how to say|say|what does|what is|in)\\b`,
  "iu",
);
/** Names a language, a text or a kind of it. */
const ofText =
  /\b(?:this|these|following|below|text|sentence|paragraph|email|mail|message|letter|essay|note|notes|post|poem|lyrics|code|list|article|review|bio|cv|resume|caption|speech|transcript|english|french|german|spanish|italian|polish|dutch|portuguese|arabic|turkish|hindi|chinese|japanese|russian|ukrainian|welsh|irish|greek|swedish|norwegian|danish|latin)\b/iu;

/** Whether what follows this beginning of a message is material: "translate to Polish", "what's wrong with this". */
export function asksAboutText(beginning: string): boolean {
  return request.test(beginning.trim()) && ofText.test(beginning);
}

/** How a letter or a mail begins and ends. */
export const salutation = /^(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to whom)\b[^.!?\n]{0,40}[,:!]?$/iu;
export const closing =
  /^(?:(?:best|kind|warm|many thanks|with)?\s?(?:regards|wishes)|sincerely|yours (?:sincerely|faithfully|truly)|cheers|best|thanks|thank you|love|xx?|sent from my \w+)\b[ ,.!x]{0,4}$/iu;
export const mailHeader = /^(?:from|to|cc|subject|re|fwd|sent|date):\s/iu;
