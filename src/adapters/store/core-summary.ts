/** Core summaries as the stores keep them: those of older releases have no facts. */
import { type CoreSummary, noFacts } from "../../ports/store.js";

export type StoredCoreSummary = Omit<CoreSummary, "facts"> & Partial<Pick<CoreSummary, "facts">>;

export function toCoreSummary(stored: StoredCoreSummary): CoreSummary {
  return { ...stored, facts: stored.facts ?? noFacts };
}
