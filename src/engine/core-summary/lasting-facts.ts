/**
 * What of an interaction lasts: each short turn, or each sentence of a longer one or of a summary, as the judge sees it.
 * What an assistant said is no fact about a person, and an instruction to the model is none at all.
 */
import type { LastingFact } from "../../core/graph/memory-node.js";
import { splitSentencesSteps } from "../../core/text/sentences.js";
import { splitTerms, splitWords } from "../../core/text/words.js";
import type { AreaShares, LifeArea } from "../../ports/judge.js";
import type { Interaction } from "../../ports/store.js";
import { type Statement, embeddedText, quoteStatement, sampleEvenly } from "../commitment/statements.js";
import type { EngineContext } from "../engine-context.js";
import { runInSlices } from "../serial-lock.js";
import { isInstruction } from "./instructions.js";

const assistant = "assistant";
/** A turn up to this length is one fact, since its sentences need each other. */
const wholeWordCountMax = 40;
const countMax = 24;

/** Null if nobody can tell. */
export async function judgeFacts(
  { turns, summary }: Pick<Interaction, "turns" | "summary">,
  { judging, parameters }: Pick<EngineContext, "judging" | "parameters">,
): Promise<LastingFact[] | null> {
  if (judging === null) return null;
  const statements = await runInSlices(splitFactsSteps({ turns, summary }));
  const shares = await judging.areas(statements.map(({ text }) => text));
  if (shares === null) return null;
  return statements.flatMap((statement, i) => {
    const { area, probability } = strongestArea(shares[i]!);
    if (probability < parameters.lastingProbabilityMin) return [];
    return [{ text: embeddedText(quoteStatement(statement)), area, probability }];
  });
}

/** That it lasts, and where it then belongs. */
function strongestArea({ passing, ...areas }: AreaShares): { area: LifeArea; probability: number } {
  const [first, ...others] = Object.entries(areas) as [LifeArea, number][];
  const [area] = others.reduce((best, other) => (other[1] > best[1] ? other : best), first!);
  return { area, probability: 1 - passing };
}

/** A summary says in full what the turns say in pieces. */
function* splitFactsSteps({ turns, summary }: Pick<Interaction, "turns" | "summary">): Generator<void, Statement[]> {
  const said = summary === null ? turns.filter(({ who }) => who !== assistant) : [{ who: null, text: summary }];
  const statements: Statement[] = [];
  for (const { who, text } of said) {
    const isShort = splitWords(text).length <= wholeWordCountMax;
    for (const each of isShort ? [text.trim()] : yield* splitSentencesSteps(text)) statements.push({ who, text: each });
    yield;
  }
  const telling = statements.filter(({ text }) => splitTerms(text).length > 0 && !isInstruction(text));
  return sampleEvenly(telling, countMax);
}
