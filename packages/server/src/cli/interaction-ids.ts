/**
 * Ids as people type them: a beginning is enough where only one id has it. A statement is named by the id of its memory and
 * its number there, such as 20250108-0915#0.
 */
import { nameOf, placeNamed } from "mnemosyne-edge/internal/graph/statement.js";
import { type HistoryItem, type HistoryOptions, InputError, NotFoundError, type PersonMemory } from "mnemosyne-edge";

const candidateCountMax = 10;

/** Every interaction of the person, whether it is a memory or not; none of an unknown person. */
export async function readHistory(memory: PersonMemory, selection: HistoryOptions = {}): Promise<HistoryItem[]> {
  return memory.history(selection).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
}

/**
 * The interaction, or the statement, whose id begins with what was typed; a whole id is always itself. An id that nobody has
 * is for the command to report, which knows what it was needed for.
 */
export async function resolveId(memory: PersonMemory, typed: string): Promise<string> {
  if (typed.trim() === "" || (await readHistory(memory, { ids: [typed] })).length > 0) return typed;
  const ids = (await readHistory(memory)).map(({ id }) => id);
  const place = placeNamed(typed);
  const named = findBeginning(typed, typed, ids);
  if (named !== undefined || place === null) return named ?? typed;
  const owner = ids.includes(place.memory) ? place.memory : findBeginning(place.memory, typed, ids);
  return owner === undefined ? typed : nameOf({ ...place, memory: owner });
}

function findBeginning(beginning: string, typed: string, ids: readonly string[]): string | undefined {
  const candidates = ids.filter((id) => id.startsWith(beginning));
  if (candidates.length <= 1) return candidates[0];
  const named = candidates.slice(0, candidateCountMax).join(", ");
  const more = candidates.length > candidateCountMax ? ` and ${candidates.length - candidateCountMax} more` : "";
  throw new InputError(
    "id_invalid",
    `"${typed}" is the beginning of ${candidates.length} ids: ${named}${more}; type more of the one you mean`,
  );
}

export async function resolveIds(memory: PersonMemory, typed: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of typed) ids.push(await resolveId(memory, each));
  return ids;
}

/** The interaction that an id names, or that has the statement it names. */
export async function interactionOf(memory: PersonMemory, id: string): Promise<string> {
  const place = placeNamed(id);
  if (place === null || (await readHistory(memory, { ids: [id] })).length > 0) return id;
  return place.memory;
}
