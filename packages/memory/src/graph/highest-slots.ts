/**
 * The best of many memories after a scan (section 3.2, top k): most values are below the lowest of the best so far and
 * cost one comparison; the list is trimmed whenever it has doubled. Ties go to the older memory, so the result does not
 * depend on the order of insertion.
 */
import type { MemoryGraph } from "./memory-graph.js";
import { compareAge } from "./memory-node.js";

/** Slots of the `count` highest values, highest first; slots with -Infinity are skipped. */
export function highestSlots(values: Float64Array, count: number, graph: MemoryGraph): number[] {
  const found: number[] = [];
  let lowest = -Infinity;
  const cut = (): void => {
    found.sort((x, y) => values[y]! - values[x]! || compareAge(graph.nodeAt(x), graph.nodeAt(y)));
    found.length = Math.min(found.length, count);
    if (found.length === count) lowest = values[found.at(-1)!]!;
  };
  for (let slot = 0; slot < values.length; slot++) {
    if (values[slot] === -Infinity || values[slot]! < lowest) continue;
    found.push(slot);
    if (found.length >= 2 * count) cut();
  }
  cut();
  return found;
}
