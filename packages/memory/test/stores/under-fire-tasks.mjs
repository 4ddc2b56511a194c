/** What the processes of the trial under fire submit: the same for the same seed. */
import { seededRandom } from "../durability/hashing-embedder.mjs";
import { interactionAt } from "../durability/laboratory.mjs";

const firstMs = Date.parse("2025-06-01T08:00:00Z");
const hoursApart = 2;

/** One list per process; whose interaction it is, is left to chance. */
export function makeTasks({ interactionCount, personCount, processCount, seed }) {
  const random = seededRandom(seed);
  const lists = Array.from({ length: processCount }, () => []);
  for (let position = 0; position < interactionCount; position++) {
    const person = `person ${Math.floor(random() * personCount)}`;
    const worker = Math.floor(random() * processCount);
    lists[worker].push({ id: `w${worker}-${position}`, person, position });
  }
  return lists;
}

export function inputOf({ id, position }) {
  return { ...interactionAt(position), id, at: firstMs + position * hoursApart * 3_600_000 };
}
