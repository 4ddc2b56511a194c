/**
 * What the judge reads of an interaction: what people said, each turn after the end of what it answers, since "the third
 * floor" says something only after "Which floor?". What an assistant said is no fact about a person. A long talk is judged
 * part by part, and the most telling part speaks for it.
 */
import { splitWordsSteps } from "../../core/text/words.js";
import type { Interaction, Turn } from "../../ports/store.js";
import { type Statement, sampleEvenly, splitPassagesSteps } from "./statements.js";

const assistant = "assistant";
const separator = " [SEP] ";
/** Of what a turn answers, as in the judge's training. */
const answeredWordCount = 24;
/** A short exchange is one part, as in the judge's training. */
const partWordCountMax = 120;
const partCountMax = 12;

export function* judgedPartsSteps({
  turns,
  summary,
}: Pick<Interaction, "turns" | "summary">): Generator<void, string[]> {
  const whole = joinExchange(turns);
  if (summary === null && (yield* splitWordsSteps(whole)).length <= partWordCountMax)
    return whole === "" ? [] : [whole];
  const parts = (yield* splitPassagesSteps({ turns, summary })).filter(({ who }) => who !== assistant);
  return sampleEvenly(parts, partCountMax).map(({ text }: Statement) => text);
}

function joinExchange(turns: readonly Turn[]): string {
  const parts: string[] = [];
  let answered: Turn | undefined;
  for (const turn of turns) {
    if (turn.who !== assistant) {
      const isAnswer = answered !== undefined && answered.who !== turn.who;
      parts.push(isAnswer ? `${lastWords(answered!.text)}${separator}${turn.text}` : turn.text);
    }
    answered = turn;
  }
  return parts.join("\n");
}

function lastWords(text: string): string {
  return text.trim().split(/\s+/u).slice(-answeredWordCount).join(" ");
}
