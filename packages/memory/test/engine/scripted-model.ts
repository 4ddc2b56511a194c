/** A language model that answers from a script and notes what it was asked. */
import type { LanguageModel, LanguageModelRequest } from "mnemosyne-edge";

export type Answer = (request: LanguageModelRequest, count: number) => string | Promise<string>;

export class ScriptedModel implements LanguageModel {
  readonly name = "scripted";
  readonly requests: LanguageModelRequest[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  async complete(request: LanguageModelRequest): Promise<string> {
    this.requests.push(request);
    return this.#answer(request, this.requests.length);
  }
}

/** The field a request asks for, which tells the steps apart. */
export function isAskedFor(field: string, { schema }: LanguageModelRequest): boolean {
  return field in (schema["properties"] as object);
}

export const judgment = {
  substantial: 1,
  category: "health",
  keywords: ["Penicillin", "allergy"],
  statements: ["Ada is allergic to penicillin.", "It was found when Ada was seven."],
  hypotheticalQueries: ["What is Ada allergic to?", "What gave Ada a rash?"],
};

/** A good reply to every step. */
export function answerWell(request: LanguageModelRequest): string {
  if (isAskedFor("coreSummary", request))
    return JSON.stringify({ coreSummary: "Penicillin gave her a rash; she is careful." });
  if (isAskedFor("summary", request)) return JSON.stringify({ summary: "Penicillin gave her a rash." });
  return JSON.stringify(judgment);
}
