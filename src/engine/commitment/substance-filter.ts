/**
 * The substance filter in use (Algorithm B1). Losing a fact is the worst it can do and keeping small talk a small matter,
 * so an interaction is dropped only where independent views agree that it tells nothing: the judge and, where there is
 * one, the language model; without a judge, the profile's examples. A request to keep or to remember always wins.
 */
import type { Parameters } from "../../parameters.js";
import type { Interaction } from "../../ports/store.js";
import type { EngineContext } from "../engine-context.js";
import { runInSlices } from "../serial-lock.js";
import type { MemoryDraft } from "./memory-draft.js";
import { type SubstanceTrace, judgeSubstanceSteps } from "./substance.js";
import { isWishToRemember } from "./wish-to-remember.js";

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: SubstanceDecider;
  /** The judge's, that the interaction tells something worth remembering; null without a judge. */
  readonly probability: number | null;
}

export type SubstanceDecider =
  "judge" | "examples" | "language model" | "restored by request" | "kept by request" | "asked to remember";

/** `cosines`: the similarity of the draft's summary to every memory. */
export async function decideSubstance(
  draft: MemoryDraft,
  cosines: Float64Array,
  { examples, parameters }: EngineContext,
): Promise<SubstanceDecision> {
  const input = {
    statements: draft.judgedStatements.map(({ text }) => text),
    statementVectors: draft.judgedStatements.map(({ vector }) => vector),
    novelty: 1 - cosines.reduce((highest, cosine) => Math.max(highest, cosine), 0),
  };
  const byExamples = await runInSlices(judgeSubstanceSteps(input, await examples.load(), parameters));
  const { substantial, decidedBy } = decide(draft, byExamples, parameters);
  const judgment = draft.model?.judgment;
  const category = decidedBy === "language model" && judgment != null ? judgment.category : byExamples.category;
  return {
    ...byExamples,
    substantial,
    category: substantial ? category : null,
    decidedBy,
    probability: draft.substanceProbability,
  };
}

function decide(
  { interaction, model, substanceProbability: probability }: MemoryDraft,
  byExamples: SubstanceTrace,
  parameters: Parameters,
): Pick<SubstanceDecision, "substantial" | "decidedBy"> {
  if (interaction.restored) return { substantial: true, decidedBy: "restored by request" };
  if (interaction.kept) return { substantial: true, decidedBy: "kept by request" };
  if (asksToRemember(interaction)) return { substantial: true, decidedBy: "asked to remember" };
  const judgment = model?.judgment;
  const isTelling = probability !== null && probability >= parameters.substanceProbabilityMin;
  if (judgment != null) {
    const substantial = judgment.substantial || (isTelling && probability >= clearProbability);
    return { substantial, decidedBy: judgment.substantial === substantial ? "language model" : "judge" };
  }
  if (probability === null) return { substantial: byExamples.substantial, decidedBy: "examples" };
  return { substantial: isTelling, decidedBy: "judge" };
}

/** From here on the judge is sure enough to overrule a language model that would drop an interaction. */
const clearProbability = 0.5;

function asksToRemember({ turns }: Interaction): boolean {
  return turns.some(({ who, text }) => who !== "assistant" && isWishToRemember(text));
}
