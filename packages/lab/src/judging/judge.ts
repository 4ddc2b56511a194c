/**
 * A language model as judge of answers (the J-score of the paper's section 4.1). Each judge votes several times and the
 * majority decides. An unreadable vote counts as "not correct", and is saved word for word like all others.
 */
import type { LanguageModel } from "mnemosyne-edge";
import { type JudgeName, judgePrompt } from "./answer-prompts.js";
import type { AuditRecord, Verdict } from "../report/audit.js";

export async function judgeAnswer(
  record: AuditRecord,
  answer: string,
  judge: JudgeName,
  model: LanguageModel,
): Promise<Verdict> {
  const reply = await model.complete(judgePrompt(record, answer, judge));
  return { judge, correct: parseVerdict(reply) ?? false, reply };
}

/** Null if the reply does not say, or says both. */
export function parseVerdict(reply: string): boolean | null {
  const stated = readCorrect(reply);
  if (stated !== null) return stated;
  const found = [...reply.matchAll(/["']?\bcorrect["']?\s*[:=]\s*["']?(true|false)\b/giu)];
  const values = new Set(found.map((match) => match[1]!.toLowerCase()));
  return values.size === 1 ? values.has("true") : null;
}

/** The field of a reply that is JSON, as requested. */
function readCorrect(reply: string): boolean | null {
  try {
    const { correct } = JSON.parse(reply) as { correct?: unknown };
    return typeof correct === "boolean" ? correct : null;
  } catch {
    return null;
  }
}

/** More than half of the votes say so. */
export function isMajorityCorrect(votes: readonly Verdict[]): boolean {
  return votes.filter(({ correct }) => correct).length * 2 > votes.length;
}
