/** The language model's part of the table of parameters. */
import type { ParameterDefinition } from "./parameter-definitions.js";

export const modelParameterDefinitions = {
  modelConcurrencyMax: {
    default: 2,
    min: 1,
    max: 1_000,
    integer: true,
    section: "design, language model",
    meaning: "Simultaneous calls to the language model, over all persons.",
  },
  modelTimeBudgetSeconds: {
    default: 120,
    min: 0.01,
    max: 86_400,
    section: "design, language model",
    meaning:
      "How long a reply may take before the step is done without the model; in a chat, how long the model may be silent.",
  },
  modelRestSeconds: {
    default: 30,
    min: 0,
    max: 86_400,
    section: "design, language model",
    meaning: "How long a model that did not answer is left alone at first; twice as long each time, up to 16 times.",
  },
  modelTextTokensMax: {
    default: 3_000,
    min: 50,
    max: 1_000_000,
    integer: true,
    section: "design, language model",
    meaning: "Tokens of one text shown to the model; of a longer text, the beginning and the end.",
  },
  shownMemoryCountMax: {
    default: 5,
    paper: 0,
    min: 0,
    max: 20,
    integer: true,
    section: "design, what changed",
    meaning: "Nearest memories that a language model is shown, to say which are outdated.",
  },
} as const satisfies Record<string, ParameterDefinition>;
