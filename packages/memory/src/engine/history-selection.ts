/** What part of a history a caller asks for; the listing knows about pages. */
import { checkFlag, readFields, readItems } from "./given-values.js";
import { parseIds } from "./interaction.js";
import { InputError } from "../errors.js";
import type { HistorySelection, Outcome } from "../ports/store.js";

type HistoryPart = Pick<HistorySelection, "ids" | "outcomes" | "skipDamaged" | "newestFirst">;

export function parseSelection(selection: HistoryPart): HistoryPart {
  const names = ["ids", "outcomes", "skipDamaged", "newestFirst"] as const;
  const { ids, outcomes, skipDamaged, newestFirst } = readFields(selection, names, "the selection");
  checkFlag(newestFirst, "newestFirst");
  return {
    ...(ids === undefined ? {} : { ids: parseIds(ids) }),
    ...(outcomes === undefined ? {} : { outcomes: parseOutcomes(outcomes) }),
    ...(skipDamaged === true ? { skipDamaged } : {}),
    ...(newestFirst === true ? { newestFirst } : {}),
  };
}

function parseOutcomes(outcomes: unknown): Outcome[] {
  const names = readItems(outcomes, "outcomes", "option_invalid", () => {});
  if (names.every((name) => typeof name === "string")) return names as Outcome[];
  throw new InputError("option_invalid", 'outcomes must be names such as "discarded"');
}
