/** The judge's part of the table of parameters: how sure it must be, what it compares and what it reads. */
import type { ParameterDefinition } from "./parameter-definitions.js";

export const judgeParameterDefinitions = {
  substanceProbabilityMin: {
    default: 0.04,
    min: 0,
    max: 1,
    section: "Algorithm B1 (design)",
    meaning:
      "Below this probability, in the judge's eyes, that an interaction tells something, it is small talk; 0 commits everything.",
  },
  substanceChatProbabilityMin: {
    default: 0.032,
    min: 0,
    max: 1,
    section: "Algorithm B1 (design)",
    meaning: "The same for talk between people instead of with an assistant.",
  },
  relationCountMax: {
    default: 6,
    min: 0,
    max: 1_000,
    integer: true,
    section: "design, what changed",
    meaning: "Nearest memories that the judge compares a new statement with.",
  },
  relationCosineMin: {
    default: 0.4,
    min: -1,
    max: 1,
    section: "design, what changed",
    meaning: "Cosine of two summaries from which the judge compares them even if they share no word.",
  },
  relationWordCountMax: {
    default: 60,
    min: 0,
    max: 10_000,
    integer: true,
    section: "design, what changed",
    meaning: "Words up to which an interaction is a statement that the judge can compare.",
  },
  repetitionProbabilityMin: {
    default: 0.85,
    min: 0,
    max: 1,
    section: "design, what changed",
    meaning: "Probability, in the judge's eyes, from which a statement repeats a memory.",
  },
  updateProbabilityMin: {
    default: 0.7,
    min: 0,
    max: 1,
    section: "design, what changed",
    meaning: "Probability, in the judge's eyes, from which a statement makes a memory outdated.",
  },
  updateCosineMin: {
    default: 0.5,
    min: -1,
    max: 1,
    section: "design, what changed",
    meaning:
      "Cosine of two summaries below which a statement makes a memory outdated only if they share a word that is no name.",
  },
  relevanceCountMax: {
    default: 10,
    min: 0,
    max: 1_000,
    integer: true,
    section: "design, what is known",
    meaning: "Best candidates of a recall that the judge reads as answers.",
  },
  relevanceWeight: {
    default: 2,
    min: 0,
    max: 10,
    section: "design, what is known",
    meaning: "What a single statement gains if the judge is sure that it answers the question.",
  },
  lastingProbabilityMin: {
    default: 0.6,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "Probability, in the judge's eyes, from which something that was said lasts.",
  },
  vitalProbabilityMin: {
    default: 0.85,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "The same, from which it enters the core summary though its memory is not central.",
  },
  areaWeight: {
    default: 0.15,
    paper: 0,
    min: 0,
    max: 10,
    section: "design, core memory",
    meaning:
      "What a memory gains at most if what lasts of it belongs to the area of life that the question asks about.",
  },
  answerableConfidenceMin: {
    default: 0.5,
    min: 0,
    max: 1,
    section: "design, what is known",
    meaning: "Confidence from which a recall calls a question answerable.",
  },
} as const satisfies Record<string, ParameterDefinition>;
