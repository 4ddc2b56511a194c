/** Answers a question of an audit from the context that a system recalled for it. */
import type { LanguageModel } from "mnemosyne-edge";
import { answerPrompt } from "./answer-prompts.js";
import type { AuditRecord } from "../report/audit.js";

export async function answerQuestion(record: AuditRecord, model: LanguageModel): Promise<string> {
  return readAnswer(await model.complete(answerPrompt(record)));
}

/** If the model ignores the requested form, its whole reply counts as the answer. */
function readAnswer(reply: string): string {
  const embedded = reply.match(/\{[^{}]*\}/gu)?.findLast((part) => part.includes('"answer"'));
  return parseAnswer(reply) ?? parseAnswer(embedded ?? "") ?? reply.trim();
}

function parseAnswer(json: string): string | null {
  try {
    const { answer } = JSON.parse(json) as { answer?: unknown };
    return typeof answer === "string" ? answer.trim() : null;
  } catch {
    return null;
  }
}
