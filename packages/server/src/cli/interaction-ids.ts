/** Ids as people type them: a beginning is enough where only one id has it. */
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
 * The interaction whose id begins with what was typed; a whole id is always itself. An id that nobody has is for the command
 * to report, which knows what it was needed for.
 */
export async function resolveId(memory: PersonMemory, typed: string): Promise<string> {
  if (typed.trim() === "" || (await readHistory(memory, { ids: [typed] })).length > 0) return typed;
  const candidates = (await readHistory(memory)).map(({ id }) => id).filter((id) => id.startsWith(typed));
  if (candidates.length <= 1) return candidates[0] ?? typed;
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
