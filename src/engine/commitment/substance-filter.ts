/**
 * The substance filter at work (Algorithm B1). A language model's word counts where there is one; a restored interaction
 * is let through by request; else the profile's examples decide.
 */
import type { MemoryDraft } from "./memory-draft.js";
import type { EngineContext } from "../engine-context.js";
import { type SubstanceTrace, judgeSubstance } from "./substance.js";

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: "examples" | "language model" | "restored by request";
}

/** `cosines`: of the draft's summary with every memory. */
export async function decideSubstance(
  draft: MemoryDraft,
  cosines: Float64Array,
  { examples, parameters }: EngineContext,
): Promise<SubstanceDecision> {
  const judged = judgeSubstance(
    {
      statements: draft.judgedStatements.map(({ text }) => text),
      statementVectors: draft.judgedStatements.map(({ vector }) => vector),
      novelty: 1 - cosines.reduce((highest, cosine) => Math.max(highest, cosine), 0),
    },
    await examples.load(),
    parameters,
  );
  if (draft.interaction.restored) return { ...judged, substantial: true, decidedBy: "restored by request" };
  const judgement = draft.model?.judgement;
  if (judgement == null) return { ...judged, decidedBy: "examples" };
  const { substantial, category } = judgement;
  return { ...judged, substantial, category: substantial ? category : null, decidedBy: "language model" };
}
