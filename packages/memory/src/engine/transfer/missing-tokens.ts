/**
 * Gives memories that were written without vectors of their words, by an earlier release or another kind of embedder, what
 * they lack. Nothing else about them changes, so other processes may go on working, and an interrupted run is continued
 * by the next.
 */
import { readPages } from "../../ports/store.js";
import { type StatementEmbedding, embedStatements, keepsTokens } from "../statement-tokens.js";
import type { ReembeddingProgress } from "./reembedding.js";

/** How many memories are looked up, and written, at a time. */
const memoriesPerStep = 50;

export async function fillMissingTokens(
  work: StatementEmbedding,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<{ personCount: number; memoryCount: number }> {
  const persons = await work.store.persons();
  let memoryCount = 0;
  for (const person of keepsTokens(work) ? persons : []) memoryCount += await fillPerson(person, work, onProgress);
  return { personCount: persons.length, memoryCount };
}

/** How many memories lacked something. */
async function fillPerson(
  person: string,
  work: StatementEmbedding,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<number> {
  const { store } = work;
  const snapshot = await store.load(person);
  const { change } = await readPages(snapshot);
  const nodes = change.putNodes.map(({ node }) => node);
  let filledCount = 0;
  for (let from = 0; from < nodes.length; from += memoriesPerStep) {
    const some = nodes.slice(from, from + memoriesPerStep);
    const ids = some.map(({ id }) => id);
    const known = await store.tokens!(person, ids);
    const filled: { id: string; bytes: Uint8Array }[] = [];
    for (const node of some) {
      if (known.has(node.id)) continue;
      const { tokenBytes } = await embedStatements(node, work);
      filled.push({ id: node.id, bytes: tokenBytes! });
    }
    if (filled.length > 0) await store.keepTokens!(person, snapshot.revision, filled);
    filledCount += filled.length;
    onProgress({ person, doneCount: from + some.length, totalCount: nodes.length });
  }
  return filledCount;
}
