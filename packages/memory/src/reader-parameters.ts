/** The reader's part of the table of parameters: how sure it must be, and what it compares. */
import type { ParameterDefinition } from "./parameter-definitions.js";

export const readerParameterDefinitions = {
  substanceProbabilityMin: {
    default: 0.15,
    min: 0,
    max: 1,
    section: "Algorithm B1 (design)",
    meaning:
      "Below this probability, in the reader's eyes, that a short interaction tells anything, it is small talk; 0 commits everything.",
  },
  relationCountMax: {
    default: 6,
    min: 0,
    max: 1_000,
    integer: true,
    section: "design, relate",
    meaning: "Pairs of a new and an older fact that the reader compares at a commit.",
  },
  repetitionProbabilityMin: {
    default: 0.4,
    min: 0,
    max: 1,
    section: "design, relate",
    meaning: "Probability, in the reader's eyes, from which a fact repeats another.",
  },
  endProbabilityMin: {
    default: 0.7,
    min: 0,
    max: 1,
    section: "design, relate",
    meaning: "Calibrated probability from which a statement ends another.",
  },
  endDoubtMin: {
    default: 0.25,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning:
      "Calibrated probability of an end from which the core memory no longer says a fact, though nothing else calls it ended.",
  },
  factProbabilityMin: {
    default: 0.85,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "Probability, in the reader's eyes, from which a statement is a fact that the core memory may say.",
  },
  lastingProbabilityMin: {
    default: 0.7,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "Probability, in the reader's eyes, from which a fact lasts.",
  },
  aloneProbabilityMin: {
    default: 0.5,
    min: 0,
    max: 1,
    section: "design, core memory",
    meaning: "Probability, in the reader's eyes, from which a statement can be understood alone.",
  },
  coreSaysCodes: {
    default: 0,
    min: 0,
    max: 1,
    integer: true,
    section: "design, core memory",
    meaning: "Whether the core memory says PINs, passwords and phone numbers unasked.",
  },
} as const satisfies Record<string, ParameterDefinition>;
