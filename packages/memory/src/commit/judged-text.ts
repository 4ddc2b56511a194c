/**
 * What the judge reads of a short exchange: what people said, each turn after the end of what it answers, since "the third
 * floor" says something only after "Which floor?". What an assistant said is no fact about a person.
 */
import { splitWordsSteps } from "../text/words.js";
import type { Interaction } from "../engine/records/person-data.js";

const assistant = "assistant";
const separator = " [SEP] ";
/** Of what a turn answers, as in the judge's training. */
const answeredWordCount = 24;
/** The judge learned from short exchanges. A longer talk, or one that comes with a summary, is left to the examples. */
const wordCountMax = 120;

export interface JudgedText {
  readonly text: string;
  /** Without what the turns answer. */
  readonly told: string;
}

/** Null for what is not a short exchange. */
export function* readJudgedTextSteps({
  turns,
  summary,
}: Pick<Interaction, "turns" | "summary">): Generator<void, JudgedText | null> {
  if (turns.length === 0 && summary !== null)
    return (yield* isShortSteps(summary)) ? { text: summary, told: summary } : null;
  const told = turns.filter(({ who }) => who !== assistant).map(({ text }) => text);
  if (summary !== null || told.length === 0 || !(yield* isShortSteps(told.join("\n")))) return null;
  const lines = turns.flatMap(({ who, text }, i) => {
    if (who === assistant) return [];
    const before = turns[i - 1];
    return [before === undefined || before.who === who ? text : `${lastWords(before.text)}${separator}${text}`];
  });
  return { text: lines.join("\n"), told: told.join("\n") };
}

function* isShortSteps(text: string): Generator<void, boolean> {
  return (yield* splitWordsSteps(text)).length <= wordCountMax;
}

function lastWords(text: string): string {
  return text.trim().split(/\s+/u).slice(-answeredWordCount).join(" ");
}
