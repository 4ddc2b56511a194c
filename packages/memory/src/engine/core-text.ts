/** The stored text of a core summary never says what was forgotten: it goes at once and is written again when due. */
import type { PersonState } from "./person-state.js";
import type { Batch, CoreSummary } from "./records/person-data.js";

export function usesForgotten(ids: readonly string[], coreSummary: CoreSummary | null): boolean {
  const forgotten = new Set(ids);
  return coreSummary?.sourceIds.some((id) => forgotten.has(id)) ?? false;
}

/** Nothing if it does not come from any of these memories. */
export function forgetText(
  ids: readonly string[],
  { coreSummary, context }: PersonState,
): Pick<Batch, "coreSummary" | "commitsSinceCoreSummary"> {
  if (!usesForgotten(ids, coreSummary)) return {};
  return { coreSummary: null, commitsSinceCoreSummary: context.parameters.coreSummaryIntervalCommits };
}
