/**
 * Forgetting what a caller names: interactions that pass a selection, whole interactions by id, or single statements, after
 * which the rest of the interaction is mended.
 */
import { forgetStatements } from "./commit/edit.js";
import { rebuildCoreSummary } from "./core/central.js";
import { isList, readOptions } from "./engine/given-values.js";
import { parseId, parseIds } from "./engine/interaction.js";
import { type MemorySelection, parseMemorySelection, selectionNames } from "./engine/memory-selection.js";
import type { PersonState } from "./engine/person-state.js";
import { InputError, NotFoundError } from "./errors.js";
import { isTold } from "./reader/read.js";
import { type ForgettingReceipt, forgetInteractions, forgetSelected } from "./upkeep/forgetting.js";
import { placeOf } from "./upkeep/marks.js";

const unbounded = "forget needs an id, a filter with at least one condition, from or to; forgetAll removes everything";

/** `checkKnown` comes after the arguments are checked. */
export async function forgetGiven(
  which: string | readonly string[] | MemorySelection,
  state: PersonState,
  checkKnown: () => Promise<void>,
): Promise<ForgettingReceipt> {
  const forget = prepare(which, state);
  await checkKnown();
  const receipt = await forget();
  // It is due already: if it cannot be written now, the next commit does it, and what was asked for has been forgotten.
  if (receipt.coreSummaryRebuilt) await rebuildCoreSummary(state);
  return receipt;
}

function prepare(
  which: string | readonly string[] | MemorySelection,
  state: PersonState,
): () => Promise<ForgettingReceipt> {
  if (typeof which !== "object" || which === null || isList(which)) {
    const names = isList(which) ? parseIds(which) : [parseId(which)];
    return () => forgetNamed(state, names);
  }
  const selection = parseMemorySelection(
    readOptions(which, selectionNames, "forget's options"),
    state.context.timeZone,
  );
  if (selection?.restricts !== true) throw new InputError("option_invalid", unbounded);
  return () => forgetSelected(state, selection);
}

async function forgetNamed(state: PersonState, names: readonly string[]): Promise<ForgettingReceipt> {
  const whole: string[] = [];
  const parts = new Map<string, number[]>();
  for (const name of names) {
    const isInteraction = (await state.findEntry(name)) !== undefined;
    const place = isInteraction ? undefined : placeOf(name, state);
    if (isInteraction) whole.push(name);
    else if (place?.position == null)
      throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${name}"`);
    else parts.set(place.memory, [...(parts.get(place.memory) ?? []), place.position]);
  }
  // What says nothing else goes as a whole.
  for (const [id, positions] of parts) {
    const { statements } = state.graph.node(id)!;
    if (statements.every((statement, i) => positions.includes(i) || !isTold(statement))) whole.push(id);
  }
  for (const id of whole) parts.delete(id);
  const had = state.coreSummary !== null;
  for (const [id, positions] of parts) await forgetStatements(state, id, positions);
  const isGone = had && state.coreSummary === null;
  const receipt = await forgetInteractions(state, [...new Set(whole)]);
  const forgotten = [...parts].flatMap(([id, positions]) => positions.map((position) => `${id}#${position}`));
  const coreSummaryRebuilt = isGone || receipt.coreSummaryRebuilt;
  return { ...receipt, forgotten: [...receipt.forgotten, ...forgotten], coreSummaryRebuilt };
}
