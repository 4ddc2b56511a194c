/**
 * The substance filter in use (Algorithm B1). A language model decides if there is one; a restored interaction passes
 * by request; otherwise the profile's examples decide.
 */
import type { MemoryDraft } from "./memory-draft.js";
import type { EngineContext } from "../engine-context.js";
import { runInSlices } from "../serial-lock.js";
import { type SubstanceTrace, judgeSubstanceSteps } from "./substance.js";

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: "examples" | "language model" | "restored by request";
}

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
  const judged = await runInSlices(judgeSubstanceSteps(input, await examples.load(), parameters));
  if (draft.interaction.restored) return { ...judged, substantial: true, decidedBy: "restored by request" };
  const judgment = draft.model?.judgment;
  if (judgment == null) return { ...judged, decidedBy: "examples" };
  const { substantial, category } = judgment;
  return { ...judged, substantial, category: substantial ? category : null, decidedBy: "language model" };
}
