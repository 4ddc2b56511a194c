// @ts-nocheck
/**
 * Other wordings of a question (design: several cues), from a language model and from one call: a question that cannot be
 * understood alone, or that asks for several things, is compared better with what memories say once it is spelled out. A
 * wording may name only what the question and the core summary name; times are left to the question itself.
 */
import { readQuestionTime } from "../../core/question-time/question-time.js";
import { fence } from "../../core/text/fence.js";
import type { CoreSummary } from "../../ports/store.js";
import { rewritingPrompt } from "../../profiles/profile.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";
import { Source, isCircular } from "./grounding.js";
import type { ModelAnswer } from "./model-calls.js";

const wordingCountMax = 3;
const wordingLengthMax = 300;
const replyTokensMax = 200;
/** Terms that a wording must share with question and core summary. */
const sharedShareMin = 1 / 3;

const schema = {
  type: "object",
  properties: { questions: { type: "array", items: { type: "string" }, minItems: 1, maxItems: wordingCountMax } },
  required: ["questions"],
};

/** The wordings besides the question, and how that went. `coreSummaryOf`: what the question may know of the core summary. */
export async function rewriteQuestion(
  query: string,
  atMs: number,
  state: PersonState,
  coreSummaryOf: (state: PersonState) => CoreSummary | null,
  signal?: AbortSignal,
): Promise<ModelAnswer<readonly string[]>> {
  const { modelCalls, parameters, timeZone, countTokens, log } = state.context;
  const without = (failure: string): ModelAnswer<readonly string[]> => {
    log({ level: "warn", message: `a question was not rewritten: ${failure}`, person: state.person });
    return { value: null, trace: { step: "rewriting", how: "without model", repairs: [], failure } };
  };
  if (parameters.rewritingWeight === 0) return without("rewritingWeight is 0");
  if (modelCalls === null) return without("no language model is configured");
  const asked = `Question, asked on ${showDay(atMs, timeZone)}:\n${query}`;
  const tokensMax = Math.min(parameters.rewritingTextTokensMax, modelCalls.model.textTokensMax ?? Infinity);
  const left = tokensMax - countTokens(asked);
  if (left < 0) return without(`the question has more than ${tokensMax} tokens`);
  await state.refresh();
  const text = knownThen(coreSummaryOf(state), atMs, left, countTokens) + asked;
  const source = await runInSlices(Source.readSteps(text));
  const answer = await modelCalls.ask({
    step: "rewriting",
    instruction: rewritingPrompt,
    text: fence("TEXT", text),
    schema,
    read: ({ questions }) => {
      const rest = (wording: string): string => readQuestionTime(wording, atMs, timeZone).rest;
      return readWordings(questions, query, (wording) => isSupported(rest(wording), source));
    },
    withinSeconds: parameters.rewritingTimeBudgetSeconds,
    replyTokensMax,
    signal,
  });
  return answer.value === null ? without(answer.trace.failure!) : answer;
}

function showDay(ms: number, timeZone: string): string {
  const show = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(ms);
  return `${show({ weekday: "long" })}, ${show({ day: "numeric", month: "long", year: "numeric" })}`;
}

/** The first lines of the core summary, as many as fit; nothing of one that is newer than the question. */
function knownThen(
  coreSummary: CoreSummary | null,
  atMs: number,
  tokensMax: number,
  countTokens: (text: string) => number,
): string {
  if (coreSummary === null || coreSummary.text === "" || coreSummary.updatedMs > atMs) return "";
  let known = "Core summary:\n";
  let isWorthIt = false;
  for (const line of coreSummary.text.split("\n")) {
    const longer = `${known}${line}\n`;
    if (countTokens(longer) > tokensMax) break;
    known = longer;
    isWorthIt = true;
  }
  return isWorthIt ? `${known}\n` : "";
}

function readWordings(value: unknown, query: string, supports: (wording: string) => boolean): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) throw new Error('"questions" is no list of questions');
  const texts = value.map((item: unknown) => {
    if (typeof item !== "string" || item.trim() === "" || !item.isWellFormed()) {
      throw new Error('"questions" has something that is no text');
    }
    return item.trim();
  });
  const supported = texts.filter((text) => text.length <= wordingLengthMax && !isCircular(text) && supports(text));
  if (supported.length === 0) throw new Error('"questions" has little to do with the question');
  const isNew = (text: string): boolean => text.toLowerCase() !== query.trim().toLowerCase();
  return [...new Set(supported)].filter(isNew).slice(0, wordingCountMax);
}

/** A date that is spelled out has numbers of its own; `rest` is the wording without it. */
function isSupported(rest: string, source: Source): boolean {
  return source.inventionsIn(rest).length === 0 && source.sharedTermShare(rest) >= sharedShareMin;
}
