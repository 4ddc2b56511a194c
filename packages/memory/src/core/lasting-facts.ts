/**
 * What of an interaction lasts: each short turn, or each sentence of a longer one or of a summary, as the judge sees it.
 * What an assistant said is no fact about a person, an instruction to the model is none at all, a question tells
 * nothing, and a sentence that needs the one before it cannot stand in a core summary.
 */
import type { LastingFact } from "../graph/memory-node.js";
import type { TermStatistics } from "../text/keywords.js";
import { splitSentencesSteps } from "../text/sentences.js";
import { splitTerms, splitWords } from "../text/words.js";
import type { AreaShares, LifeArea } from "../ports/judge.js";
import type { Interaction } from "../engine/records/person-data.js";
import { aboutUs } from "../english/own-words.js";
import {
  type Statement,
  askedBeforeSteps,
  embeddedText,
  quoteStatement,
  sampleEvenly,
} from "../reader/cut.js";
import type { EngineContext } from "../engine/engine-context.js";
import { runInSlices } from "../engine/serial-lock.js";
import { warningWords } from "../english/warnings.js";
import { isInstruction } from "../english/instructions.js";
import { makeStandAlone } from "./standing-alone.js";

const assistant = "assistant";
/** A turn up to this length is one fact, since its sentences need each other. */
const wholeWordCountMax = 40;
const countMax = 24;

/** Null if nobody can tell. `memories`: the person's, which tell who is mostly spoken of. */
export async function judgeFacts(
  said: Pick<Interaction, "turns" | "summary">,
  memories: TermStatistics,
  { judging, parameters }: Pick<EngineContext, "judging" | "parameters">,
): Promise<LastingFact[] | null> {
  if (judging?.tellsAreas !== true) return null;
  const statements = (await runInSlices(splitFactsSteps(said, memories))).filter(({ text }) => !onlyAsks(text));
  const shares = await judging.areas(
    statements.map(({ text }) => text),
    "commitment",
  );
  if (shares === null) return null;
  return statements.flatMap((statement, i) => {
    const { area, probability } = findArea(statement, shares[i]!);
    if (probability < parameters.lastingProbabilityMin) return [];
    return [{ text: embeddedText(quoteStatement(statement)), area, probability }];
  });
}

/** Alerts come before everything else, so the judge has to be sure, unless the words leave no doubt. */
const alertShareMin = 0.8;
const alertWordsProbability = 0.95;
/** Who asks about an allergy need not have one. It begins where a sentence does: tried at every letter, a long text would block everybody. */
const question = /(?<![^.!?])[^.!?]*\?/gu;

/** How questions begin, and what makes one tell something all the same: "did I tell you that …?". */
const asking =
  /^(?:who|whom|whose|what|when|where|why|how|which|am|are|is|was|were|do|does|did|can|could|should|would|will|shall|have|has|had|may|might|must|isn't|aren't|don't|doesn't|didn't|won't|can't)\b/iu;
const telling = /\b(?:tell|told|mention|mentioned|say|said|know|remember|forget|forgot)\b/iu;

/** A question says nothing about a person, however certain the judge is of its area. */
function onlyAsks(text: string): boolean {
  const isQuestion = text.replace(question, "").trim() === "";
  return isQuestion && asking.test(text.trim()) && !telling.test(text);
}

/** That it lasts, and where it then belongs. */
function findArea({ text, isAnswer }: Told, { passing, alert, ...areas }: AreaShares): Omit<LastingFact, "text"> {
  if (warningWords.test(isAnswer ? text : text.replace(question, "")))
    return { area: "alert", probability: Math.max(1 - passing, alertWordsProbability) };
  const [first, ...others] = Object.entries(areas) as [LifeArea, number][];
  const [area] = others.reduce((best, other) => (other[1] > best[1] ? other : best), first!);
  return { area: alert >= alertShareMin ? "alert" : area, probability: 1 - passing };
}

interface Told extends Statement {
  /** Whether it begins with the question that it says yes to. */
  readonly isAnswer: boolean;
}

/** A summary says in full what the turns say in pieces. */
function* splitFactsSteps(
  { turns, summary }: Pick<Interaction, "turns" | "summary">,
  memories: TermStatistics,
): Generator<void, Told[]> {
  const statements: Told[] = [];
  const add = (who: string | null, texts: readonly string[], isAnswer = false): void => {
    for (const text of texts) statements.push({ who, text, isAnswer });
  };
  if (summary !== null) add(null, makeStandAlone(yield* splitSentencesSteps(summary), memories));
  for (const [i, { who, text }] of summary === null ? turns.entries() : []) {
    if (who === assistant) continue;
    const asked = needsQuestion(text) ? yield* askedBeforeSteps(turns, i) : null;
    if (asked !== null) add(who, [`${asked} ${text.trim()}`], !denial.test(text));
    else {
      const sentences = yield* splitSentencesSteps(text);
      const isWhole = splitWords(text).length <= wholeWordCountMax;
      add(who, isWhole ? [withoutLastQuestions(text, sentences)] : makeStandAlone(sentences, memories));
    }
    yield;
  }
  const telling = statements.filter(
    ({ text }) => splitTerms(text).length > 0 && !isInstruction(text) && !isOfAssistant(text),
  );
  return sampleEvenly(telling, countMax);
}

/** "My sister lives in Graz. Can I take amoxicillin?": only the first sentence tells something. */
function withoutLastQuestions(text: string, sentences: readonly string[]): string {
  const asked = sentences[sentences.findLastIndex((sentence) => !onlyAsks(sentence)) + 1];
  const end = asked === undefined ? 0 : text.lastIndexOf(asked);
  return (end <= 0 ? text : text.slice(0, end)).trim();
}

const answerLengthMax = 60;
const denial = /^\P{L}*(?:no|nope|nah|none|nothing|not|never|neither|don['’]t)\b/iu;

/** "Penicillin.", "Yes, badly.", "None that I know of.": a fact only with the question before it. */
function needsQuestion(text: string): boolean {
  return text.trim().length <= answerLengthMax && (!aboutUs.test(text) || denial.test(text));
}

/** What a summary tells of the assistant. */
function isOfAssistant(text: string): boolean {
  return /^(?:the )?(?:assistant|ai|chatbot|companion|model)\b/iu.test(text);
}
