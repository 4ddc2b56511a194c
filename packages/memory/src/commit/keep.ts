/**
 * Keep? (substance, Algorithm B1) Losing a fact is the worst it can do and keeping small talk a small matter, so an
 * interaction is dropped only where it surely tells nothing: the reader sees no fact in a short exchange, and a language
 * model, if there is one, agrees. What the reader cannot read is left to the profile's examples, and what a profile of your
 * own calls substance stays substance. A request to keep or to remember always wins.
 */
import type { SubstanceDecider, SubstanceDecision, SubstanceTrace } from "../engine/commit-trace.js";
import type { EngineContext } from "../engine/engine-context.js";
import { runInSlices } from "../engine/serial-lock.js";
import type { Parameters } from "../parameters.js";
import { general } from "../profiles/general.js";
import { healthcare } from "../profiles/healthcare.js";
import type { Profile } from "../profiles/profile.js";
import { type ReadInteraction, isTold } from "../reader/read.js";
import { logOdds } from "../reader/reading-queue.js";
import { clampScore, judgeSubstanceSteps } from "../reader/substance.js";
import { countWords } from "../text/words.js";

/** What a language model said of it; null without one. */
type Opinion = { readonly substantial: boolean; readonly category: string } | null;

/** The reader was made for these; what another profile is about it cannot know. */
const builtIn: ReadonlySet<Profile> = new Set([general, healthcare]);
/** The reader learned from short exchanges. */
const wordCountMax = 120;

/** `cosines`: the similarity of its summary to every memory. */
export async function decideSubstance(
  read: ReadInteraction,
  opinion: Opinion,
  cosines: Float64Array,
  { examples, parameters, profile }: Pick<EngineContext, "examples" | "parameters" | "profile">,
): Promise<SubstanceDecision> {
  const input = {
    statements: read.sentences.map(({ text }) => text),
    statementVectors: read.sentences.map(({ vector }) => vector),
    novelty: 1 - cosines.reduce((highest, cosine) => Math.max(highest, cosine), 0),
  };
  const byExamples = await runInSlices(judgeSubstanceSteps(input, await examples.load(), parameters));
  const probability = factProbability(read);
  const isOwnSubstance = !builtIn.has(profile) && byExamples.substantial;
  const byReader = isOwnSubstance ? null : readerTrace(probability, byExamples, parameters);
  const found = byReader ?? byExamples;
  const { substantial, decidedBy } = decide(
    read,
    opinion,
    found,
    byReader === null ? "examples" : "reader",
    probability,
  );
  const category = opinion?.category ?? found.category;
  return { ...found, substantial, category: substantial ? category : null, decidedBy, probability };
}

/** That anything it says is a fact; null for what the reader did not read, or not all of. */
function factProbability({ statements, interaction }: ReadInteraction): number | null {
  const told = statements.filter(isTold);
  const isLong = countWords(told.map(({ text }) => text).join("\n"), false) > wordCountMax;
  const isPartly = statements.some(({ kind }) => kind === "passage") || interaction.summary !== null;
  if (told.length === 0 || isLong || isPartly || told.some(({ reading }) => reading === null)) return null;
  return Math.max(...told.map(({ reading }) => reading!.fact));
}

/** The reader's view; null for text in a language that it does not read. */
function readerTrace(
  probability: number | null,
  byExamples: SubstanceTrace,
  { substanceThreshold, substanceProbabilityMin }: Parameters,
): SubstanceTrace | null {
  if (probability === null || !byExamples.comparable) return null;
  const score = clampScore(logOdds(probability) - logOdds(substanceProbabilityMin));
  return { ...byExamples, score, substantial: score >= substanceThreshold };
}

function decide(
  { interaction, asksToRemember }: ReadInteraction,
  opinion: Opinion,
  { substantial }: SubstanceTrace,
  decidedBy: "examples" | "reader",
  probability: number | null,
): { readonly substantial: boolean; readonly decidedBy: SubstanceDecider } {
  if (interaction.restored) return { substantial: true, decidedBy: "restored by request" };
  if (interaction.kept) return { substantial: true, decidedBy: "kept by request" };
  if (asksToRemember) return { substantial: true, decidedBy: "asked to remember" };
  if (opinion === null) return { substantial, decidedBy };
  // A language model that would drop what the reader is sure of is overruled.
  if (!opinion.substantial && (probability ?? 0) >= clearProbability) return { substantial: true, decidedBy: "reader" };
  return { substantial: opinion.substantial, decidedBy: "language model" };
}

const clearProbability = 0.5;
