/**
 * The substance filter at work (Algorithm B1): embeds the profile's examples once, then decides for each candidate. A
 * language model's word counts where there is one; a restored interaction is let through by request.
 */
import { createHash } from "node:crypto";
import type { QuantizedVector } from "../core/quantized-vector.js";
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
    const { profile, embedding, parameters, store } = this.#context;
    const texts = substanceTexts(profile);
    const { name, dimensions } = embedding.identity;
    const key = `substance ${createHash("sha256")
      .update(JSON.stringify([name, texts]))
      .digest("hex")}`;
    const cached = await store.cached(key);
    if (cached?.length === texts.length * dimensions) {
      return buildSubstanceVectors(profile, splitVectors(cached, dimensions), parameters);
    }
    const vectors = await embedding.embed(texts, "commitment");
    await store.cache(key, joinVectors(vectors, dimensions));
    return buildSubstanceVectors(profile, vectors, parameters);
  }
}

function joinVectors(vectors: readonly QuantizedVector[], dimensions: number): Uint8Array {
  const joined = new Int8Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => joined.set(vector, i * dimensions));
  return new Uint8Array(joined.buffer);
}

function splitVectors(bytes: Uint8Array, dimensions: number): QuantizedVector[] {
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: codes.length / dimensions }, (_, i) => codes.slice(i * dimensions, (i + 1) * dimensions));
}
