/** Which memories are outdated, since when and by what, in words. */
import type { HistoryItem, PersonMemory } from "mnemosyne-edge";
import type { ShownId } from "./interaction-ids.js";
import { formatLongDay } from "./outcome-words.js";

/** By id: "outdated since 1 March 2025 by york"; without those that hold. */
export type OutdatedNotes = ReadonlyMap<string, string>;

/** `untilMs`: what was said later is left out, as it was not yet known then. */
export async function describeOutdated(
  person: PersonMemory,
  items: readonly Pick<HistoryItem, "id" | "outdatedBy">[],
  timeZone: string | undefined,
  shownId: ShownId,
  untilMs = Infinity,
): Promise<OutdatedNotes> {
  const newerIds = [...new Set(items.flatMap(({ outdatedBy }) => outdatedBy ?? []))];
  if (newerIds.length === 0) return new Map();
  const known = (await person.history({ ids: newerIds })).filter(({ at }) => Date.parse(at) <= untilMs);
  const inOrder = known.toSorted((x, y) => Date.parse(x.at) - Date.parse(y.at));
  return new Map(
    items.flatMap(({ id, outdatedBy }) => {
      const newer = inOrder.filter((item) => outdatedBy?.includes(item.id));
      if (newer.length === 0) return [];
      const by = newer.map((item) => shownId(item.id)).join(" and ");
      return [[id, `outdated since ${formatLongDay(newer[0]!.at, timeZone)} by ${by}`] as const];
    }),
  );
}
