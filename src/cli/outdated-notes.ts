/** Which memories are outdated, since when and by what, in words. */
import type { HistoryItem, PersonMemory } from "../index.js";
import { formatDay } from "./terminal.js";

/** By id: "outdated since 2025-03-01 by york"; without those that hold. */
export type OutdatedNotes = ReadonlyMap<string, string>;

export async function describeOutdated(
  person: PersonMemory,
  items: readonly Pick<HistoryItem, "id" | "outdatedBy">[],
  timeZone: string | undefined,
): Promise<OutdatedNotes> {
  const outdated = items.flatMap(({ id, outdatedBy }) => (outdatedBy?.length ? [{ id, outdatedBy }] : []));
  if (outdated.length === 0) return new Map();
  const newer = await person.history({ ids: [...new Set(outdated.flatMap(({ outdatedBy }) => outdatedBy))] });
  return new Map(
    outdated.map(({ id, outdatedBy }) => {
      const times = newer.filter((item) => outdatedBy.includes(item.id)).map(({ at }) => at);
      const since = times.length === 0 ? "" : ` since ${formatDay(times.sort()[0]!, timeZone)}`;
      return [id, `outdated${since} by ${outdatedBy.join(" and ")}`];
    }),
  );
}
