/** A small invented audit: one clarinet, two systems, an adversarial question. */
import type { LanguageModel, LanguageModelRequest } from "mnemosyne-edge";
import type { AuditHeader, AuditRecord, Verdict } from "../../src/report/audit.js";

export const header: AuditHeader = { format: "mnemosyne-audit-1", dataset: "invented", seed: 7, commit: null };

export function makeRecord(changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    system: "mnemosyne",
    group: "ada",
    questionId: "q1",
    question: "What does Ada repair?",
    kind: "single",
    at: "2025-03-05T18:00:00Z",
    gold: ["i1"],
    goldAnswer: "clarinets",
    ranked: ["i1", "i2"],
    context: "Yesterday (4 March 2025): Ada repaired a clarinet.",
    contextTokens: 12,
    ...changes,
  };
}

export function makeVerdict(correct: boolean, judge = "strict", reply = JSON.stringify({ correct })): Verdict {
  return { judge, correct, reply };
}

/** Answers from a script and records the requests. */
export class ScriptedModel implements LanguageModel {
  readonly name: string;
  readonly requests: LanguageModelRequest[] = [];
  readonly #answer: (request: LanguageModelRequest, index: number) => string;

  constructor(name: string, answer: (request: LanguageModelRequest, index: number) => string) {
    this.name = name;
    this.#answer = answer;
  }

  async complete(request: LanguageModelRequest): Promise<string> {
    await Promise.resolve();
    return this.#answer(request, this.requests.push(request) - 1);
  }
}
