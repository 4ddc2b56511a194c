/** Answers a question of an audit from the context that a system recalled for it. */
import type { LanguageModel } from "../index.js";
import { answerPrompt } from "./answer-prompts.js";
import type { AuditRecord } from "./audit.js";

export async function answerQuestion(record: AuditRecord, model: LanguageModel): Promise<string> {
  return readAnswer(await model.complete(answerPrompt(record)));
}

/** A model that does not keep to the form has still answered: then its reply is the answer, as it stands. */
export function readAnswer(reply: string): string {
  const bare = reply.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/u, "$1");
  try {
    const { answer } = JSON.parse(bare) as { answer?: unknown };
    return typeof answer === "string" ? answer.trim() : bare;
  } catch {
    return bare;
  }
}
