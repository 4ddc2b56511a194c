/**
 * The substance filter at work (Algorithm B1): embeds the profile's examples once, then decides for each candidate. A
 * language model's word counts where there is one; a restored interaction is let through by request.
 */
import type { Candidate } from "./candidate.js";
import type { EngineContext } from "./engine-context.js";
import {
  type SubstanceTrace,
  type SubstanceVectors,
  buildSubstanceVectors,
  judgeSubstance,
  substanceTexts,
} from "./substance.js";

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: "examples" | "language model" | "restored by request";
}

export class SubstanceFilter {
  readonly #context: EngineContext;
  #examples: Promise<SubstanceVectors> | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** `cosines`: of the candidate's summary with every memory. */
  async decide(candidate: Candidate, cosines: Float64Array): Promise<SubstanceDecision> {
    const judged = judgeSubstance(
      {
        statements: candidate.statements.map(({ text }) => text),
        statementVectors: candidate.statements.map(({ vector }) => vector),
        novelty: 1 - cosines.reduce((highest, cosine) => Math.max(highest, cosine), 0),
      },
      await this.#loadExamples(),
      this.#context.parameters,
    );
    if (candidate.interaction.restored) return { ...judged, substantial: true, decidedBy: "restored by request" };
    const judgement = candidate.model?.judgement;
    if (judgement == null) return { ...judged, decidedBy: "examples" };
    const { substantial, category } = judgement;
    return { ...judged, substantial, category: substantial ? category : null, decidedBy: "language model" };
  }

  #loadExamples(): Promise<SubstanceVectors> {
    if (this.#examples === undefined) {
      this.#examples = this.#embedExamples();
      // A failure is not kept: the next interaction tries again.
      this.#examples.catch(() => (this.#examples = undefined));
    }
    return this.#examples;
  }

  async #embedExamples(): Promise<SubstanceVectors> {
    const { profile, embedding, parameters } = this.#context;
    const vectors = await embedding.embed(substanceTexts(profile), "commitment");
    return buildSubstanceVectors(profile, vectors, parameters);
  }
}
