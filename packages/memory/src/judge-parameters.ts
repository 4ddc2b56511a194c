/** The judge's part of the table of parameters: how sure it must be, what it compares and what it reads. */
import type { ParameterDefinition } from "./parameter-definitions.js";

export const judgeParameterDefinitions = {
  substanceProbabilityMin: {
    default: 0.02,
    min: 0,
    max: 1,
    section: "Algorithm B1 (design)",
    meaning:
      "Below this probability, in the judge's eyes, that an interaction tells something, it is small talk; 0 commits everything.",
  },
  relationCountMax: {
    default: 3,
    min: 0,
    max: 1_000,
    integer: true,
    section: "design, what changed",
    meaning: "Nearest memories that the judge compares a new statement with.",
  },
  relationCosineMin: {
    default: 0.5,
    min: -1,
    max: 1,
    section: "design, what changed",
    meaning: "Cosine of two summaries from which they are about the same, so that one can repeat or end the other.",
  },
  repetitionProbabilityMin: {
    default: 0.85,
    min: 0,
    max: 1,
    section: "design, what changed",
    meaning: "Probability, in the judge's eyes, from which a statement repeats a memory.",
  },
  updateProbabilityMin: {
    default: 0.85,
    min: 0,
    max: 1,
    section: "design, what changed",
    meaning: "Probability, in the judge's eyes, from which a statement makes a memory outdated.",
  },
  lastingProbabilityMin: {
    default: 0.6,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "Probability, in the judge's eyes, from which something that was said lasts.",
  },
  answerableConfidenceMin: {
    default: 0.5,
    min: 0,
    max: 1,
    section: "design, what is known",
    meaning: "Confidence from which a recall calls a question answerable.",
  },
} as const satisfies Record<string, ParameterDefinition>;
