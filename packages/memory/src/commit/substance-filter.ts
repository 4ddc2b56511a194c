/**
 * The substance filter in use (Algorithm B1). Losing a fact is the worst it can do and keeping small talk a small matter,
 * so an interaction is dropped only where independent views agree that it tells nothing: the judge and, where there is
 * one, the language model; without a judge, the profile's examples. What a profile of your own calls substance stays
 * substance. A request to keep or to remember always wins.
 */
import type { Parameters } from "../parameters.js";
import type { Interaction } from "../engine/records/person-data.js";
import { general } from "../profiles/general.js";
import { healthcare } from "../profiles/healthcare.js";
import type { Profile } from "../profiles/profile.js";
import type { EngineContext } from "../engine/engine-context.js";
import { runInSlices } from "../engine/serial-lock.js";
import type { MemoryDraft } from "../reader/read.js";
import { type SubstanceTrace, clampScore, judgeSubstanceSteps } from "../reader/substance.js";
import { isWishToRemember } from "../english/wishes.js";

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: SubstanceDecider;
  /** The judge's, that the interaction tells something worth remembering; null without a judge. */
  readonly probability: number | null;
}

export type SubstanceDecider =
  | "judge"
  | "examples"
  | "language model"
  | "restored by request"
  | "kept by request"
  | "asked to remember"
  | "edited by request";

/** The judge was made for these; what another profile is about it cannot know. */
const builtIn: ReadonlySet<Profile> = new Set([general, healthcare]);

/** `cosines`: the similarity of the draft's summary to every memory. */
export async function decideSubstance(
  draft: MemoryDraft,
  cosines: Float64Array,
  { examples, parameters, profile }: EngineContext,
): Promise<SubstanceDecision> {
  const input = {
    statements: draft.judgedStatements.map(({ text }) => text),
    statementVectors: draft.judgedStatements.map(({ vector }) => vector),
    novelty: 1 - cosines.reduce((highest, cosine) => Math.max(highest, cosine), 0),
  };
  const byExamples = await runInSlices(judgeSubstanceSteps(input, await examples.load(), parameters));
  const probability = draft.judgedSubstance?.probability ?? null;
  const isOwnSubstance = !builtIn.has(profile) && byExamples.substantial;
  const judged = isOwnSubstance ? null : judgeOf(draft, byExamples, parameters);
  const { substantial, decidedBy } = decide(draft, judged ?? byExamples, judged === null ? "examples" : "judge");
  const category = draft.model?.judgment?.category ?? judged?.category ?? byExamples.category;
  return { ...(judged ?? byExamples), substantial, category: substantial ? category : null, decidedBy, probability };
}

/** The judge's view; null without a judge, and for text in a language that it does not read. */
function judgeOf(
  { judgedSubstance }: MemoryDraft,
  byExamples: SubstanceTrace,
  { substanceThreshold }: Parameters,
): SubstanceTrace | null {
  if (judgedSubstance === null || !byExamples.comparable) return null;
  const score = clampScore(judgedSubstance.score);
  return { ...byExamples, score, substantial: score >= substanceThreshold };
}

function decide(
  { interaction, model, judgedSubstance }: MemoryDraft,
  { substantial }: SubstanceTrace,
  decidedBy: "examples" | "judge",
): Pick<SubstanceDecision, "substantial" | "decidedBy"> {
  if (interaction.restored) return { substantial: true, decidedBy: "restored by request" };
  if (interaction.kept) return { substantial: true, decidedBy: "kept by request" };
  if (asksToRemember(interaction)) return { substantial: true, decidedBy: "asked to remember" };
  const judgment = model?.judgment;
  if (judgment == null) return { substantial, decidedBy };
  // A language model that would drop what the judge is sure of is overruled.
  if (!judgment.substantial && (judgedSubstance?.probability ?? 0) >= clearProbability) {
    return { substantial: true, decidedBy: "judge" };
  }
  return { substantial: judgment.substantial, decidedBy: "language model" };
}

const clearProbability = 0.5;

function asksToRemember({ turns }: Interaction): boolean {
  return turns.some(({ who, text }) => who !== "assistant" && isWishToRemember(text));
}
