/** A language model's text without the sentences that come from what no longer holds. */
import { splitSentences } from "../text/sentences.js";
import { splitTerms } from "../text/words.js";

/** With fewer of its terms in a text, a sentence does not come from there. */
const sharedShareMin = 1 / 2;

/** A text without sentences whose words come from an outdated text rather than from one that holds. */
export function withoutOutdated(text: string, outdated: readonly string[], holding: readonly string[]): string {
  if (outdated.length === 0) return text;
  const ended = outdated.map(termsOf);
  const held = holding.map(termsOf);
  const isKept = (sentence: string): boolean => {
    const terms = [...termsOf(sentence)];
    const shareIn = (others: readonly ReadonlySet<string>[]): number =>
      Math.max(0, ...others.map((other) => terms.filter((term) => other.has(term)).length / terms.length));
    const share = terms.length === 0 ? 0 : shareIn(ended);
    return share < sharedShareMin || share <= shareIn(held);
  };
  return text
    .split("\n")
    .map((line) => splitSentences(line).filter(isKept).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(splitTerms(text));
}
