/** Whether a person's memory is sound: what the store has lost, and the invariants that the graph breaks. */
import { findViolations } from "../graph/graph-violations.js";
import { isDamage } from "../errors.js";
import type { PersonState } from "../engine/person-state.js";
import { describeDamage } from "../engine/records/opened-store.js";
import { readMoment } from "./transfer/person-moment.js";

/** Empty when all is sound. */
export async function checkPerson(state: PersonState): Promise<string[]> {
  const { records, parameters } = state.context;
  const damage: string[] = [];
  try {
    await readMoment(state.person, records, (part) => void damage.push(describeDamage(part)));
    await state.refresh();
    await state.readAll();
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (damage.length === 0) damage.push(error.message);
  }
  return damage.length > 0 ? damage : findViolations(state.graph, parameters.degreeMax);
}
