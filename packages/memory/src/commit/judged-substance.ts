/**
 * Substance as the judge sees it: the log odds that a short exchange tells something, raised a little by signs of a
 * fact that the judge may have missed (somebody speaks of themselves, a number, a name) and lowered where it is only asked
 * about or nothing is said but thanks. At 0 the balance between lost facts and kept small talk is the one that the parameters ask for.
 */
import type { Parameters } from "../parameters.js";
import type { Interaction } from "../engine/records/person-data.js";
import { type Judging, logOdds } from "../reader/reading-queue.js";
import { runInSlices } from "../engine/serial-lock.js";
import { readJudgedTextSteps } from "./judged-text.js";
import { ourWords, wordPattern } from "../english/own-words.js";

export interface JudgedSubstance {
  /** That it tells something. */
  readonly probability: number;
  /** 0 and more: it does. */
  readonly score: number;
}

const signs = { self: 0.2, digit: 0.2, name: 0.3, question: -0.4, thanks: -1 };
const signCountMax = 3;

/** Null for what the judge cannot judge. */
export async function judgeSubstance(
  interaction: Interaction,
  judging: Judging,
  { substanceProbabilityMin }: Parameters,
): Promise<JudgedSubstance | null> {
  const judged = await runInSlices(readJudgedTextSteps(interaction));
  if (judged === null) return null;
  const [probability] = await judging.substance([judged.text]);
  const least = logOdds(substanceProbabilityMin);
  return { probability: probability!, score: logOdds(probability!) + weighSigns(judged.told, interaction) - least };
}

const self = wordPattern(ourWords);
const digit = /\p{Nd}/gu;
/** Not at the beginning of a sentence. */
const name = /(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}+/gu;

const thanksWords = "ok|okay|k|kk|thanks|thank|thx|ty|cheers|ta|bye|goodbye|goodnight";
const onlyThanks = new RegExp(
  `^(?=.*${wordPattern(thanksWords).source})(?:(?:${thanksWords}|you|u|so|very|much|many|a|lot|great|lovely|perfect|nice|cool|` +
    "good|night|see|later|then|again|alright|for|now|and)(?:[^\\p{L}\\p{N}]+|$))+$",
  "isu",
);

/** "Ok" may be the answer to a question, and then it tells what the question asks about. */
function isOnlyThanks(text: string, { turns }: Interaction): boolean {
  return onlyThanks.test(text.trim()) && !turns.some((turn) => turn.text.includes("?"));
}

function weighSigns(text: string, interaction: Interaction): number {
  const count = (sign: RegExp): number => {
    let found = 0;
    for (const _ of text.matchAll(sign)) if (++found === signCountMax) break;
    return found;
  };
  return (
    signs.self * count(self) +
    signs.digit * count(digit) +
    signs.name * count(name) +
    (text.trimEnd().endsWith("?") ? signs.question : 0) +
    (isOnlyThanks(text, interaction) ? signs.thanks : 0)
  );
}
