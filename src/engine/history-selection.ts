/** What part of a history a caller asks for. */
import { checkWholeNumber, describeValue, readFields, readItems } from "./given-values.js";
import { parseIds } from "./interaction.js";
import { InputError } from "../errors.js";
import type { HistorySelection, Outcome } from "../ports/store.js";

const selectionNames = [
  "ids",
  "outcomes",
  "skipDamaged",
  "after",
  "limit",
] as const satisfies (keyof HistorySelection)[];

export function parseSelection(selection: HistorySelection): HistorySelection {
  const { ids, outcomes, skipDamaged, after, limit } = readFields(selection, selectionNames, "the selection");
  checkWholeNumber(limit, "limit");
  if (after !== undefined && typeof after !== "string") {
    throw new InputError("option_invalid", `after is ${describeValue(after)}; it must be a cursor`);
  }
  return {
    ...(ids === undefined ? {} : { ids: parseIds(ids) }),
    ...(outcomes === undefined ? {} : { outcomes: parseOutcomes(outcomes) }),
    ...(skipDamaged === true ? { skipDamaged } : {}),
    ...(after === undefined ? {} : { after }),
    ...(limit === undefined ? {} : { limit: limit as number }),
  };
}

function parseOutcomes(outcomes: unknown): Outcome[] {
  const names = readItems(outcomes, "outcomes", "option_invalid", () => {});
  if (names.every((name) => typeof name === "string")) return names as Outcome[];
  throw new InputError("option_invalid", 'outcomes must be names such as "discarded"');
}
