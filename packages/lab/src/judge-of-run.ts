/** One judge for all memories that a run opens: each would otherwise start a process of its own. */
import { createJudge } from "mnemosyne-edge/internal/adapters/judge/adapter-judge.js";
import type { Embedder, Judge } from "mnemosyne-edge";

/** `false` for none. */
export type ChosenJudge = Judge | false;

/** The bundled one if none was chosen, with the embedder's own weights where that is possible. */
export function openJudge(chosen: ChosenJudge | undefined, embedder: Embedder): ChosenJudge {
  return chosen ?? createJudge(embedder, {});
}

/** The same judge for a caller that closes what it gets. */
export function lendJudge(judge: ChosenJudge): ChosenJudge {
  if (judge === false) return false;
  return {
    name: judge.name,
    substance: (texts) => judge.substance(texts),
    relation: (pairs) => judge.relation(pairs),
    relevance: (question, statements) => judge.relevance(question, statements),
    ...(judge.areas === undefined ? {} : { areas: (statements) => judge.areas!(statements) }),
    close: () => Promise.resolve(),
  };
}

export async function closeJudge(judge: ChosenJudge): Promise<void> {
  if (judge !== false) await judge.close();
}
