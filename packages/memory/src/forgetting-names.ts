/** Forgetting by name: whole interactions, or single statements, after which the rest of the interaction is mended. */
import { forgetStatements } from "./commit/edit.js";
import type { PersonState } from "./engine/person-state.js";
import { NotFoundError } from "./errors.js";
import { isTold } from "./reader/read.js";
import { type ForgettingReceipt, forgetInteractions } from "./upkeep/forgetting.js";
import { placeOf } from "./upkeep/marks.js";

export async function forgetNamed(state: PersonState, names: readonly string[]): Promise<ForgettingReceipt> {
  const whole: string[] = [];
  const parts = new Map<string, number[]>();
  for (const name of names) {
    const isInteraction = (await state.findEntry(name)) !== undefined;
    const place = isInteraction ? undefined : placeOf(name, state);
    if (isInteraction) whole.push(name);
    else if (place?.position == null) throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${name}"`);
    else parts.set(place.memory, [...(parts.get(place.memory) ?? []), place.position]);
  }
  // What says nothing else goes as a whole.
  for (const [id, positions] of parts) {
    const { statements } = state.graph.node(id)!;
    if (statements.every((statement, i) => positions.includes(i) || !isTold(statement))) whole.push(id);
  }
  for (const id of whole) parts.delete(id);
  for (const [id, positions] of parts) await forgetStatements(state, id, positions);
  const receipt = await forgetInteractions(state, [...new Set(whole)]);
  const forgotten = [...parts].flatMap(([id, positions]) => positions.map((position) => `${id}#${position}`));
  return { ...receipt, forgotten: [...receipt.forgotten, ...forgotten] };
}
