/** Ids as people read and type them: shortened where that is clear, and completed from what was typed. */
import { type HistoryItem, type HistoryOptions, InputError, NotFoundError, type PersonMemory } from "mnemosyne-edge";
import { visibleWidth } from "./layout.js";

/** How ids are shown. */
export type ShownId = (id: string) => string;

const madeId = /^\d{8}-\d{4}-[\da-f]{6}/u;
/** A made id is cut behind its minute, or two or four characters later. */
const madeLengths = [13, 16, 18];
/** An id that somebody chose stays whole unless it is longer than this. */
const chosenWidthMax = 20;
const chosenLengthMin = 8;
const candidateCountMax = 10;

/** Every interaction of the person, whether it is a memory or not; none of an unknown person. */
export async function readHistory(memory: PersonMemory, selection: HistoryOptions = {}): Promise<HistoryItem[]> {
  return memory.history(selection).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
}

/** How this person's ids are shown; whole where a program reads them. */
export async function shownIds(memory: PersonMemory, isWhole = false): Promise<ShownId> {
  return isWhole ? String : shortenIds((await readHistory(memory)).map(({ id }) => id));
}

/** The shortest readable beginning that no other of the ids has. */
export function shortenIds(ids: Iterable<string>): ShownId {
  const sorted = [...new Set(ids)].sort(compare);
  const shown = new Map<string, string>();
  sorted.forEach((id, i) => {
    const neighbours = [sorted[i - 1], sorted[i + 1]].map((other) => sharedLength(id, other ?? ""));
    shown.set(id, cut(id, Math.max(...neighbours) + 1));
  });
  return (id) => shown.get(id) ?? id;
}

function cut(id: string, uniqueLength: number): string {
  const isMade = madeId.test(id);
  if (!isMade && visibleWidth(id) <= chosenWidthMax) return id;
  const length = isMade
    ? (madeLengths.find((each) => each >= uniqueLength) ?? id.length)
    : Math.max(chosenLengthMin, uniqueLength);
  const beginning = id.slice(0, length);
  // Half of a character that takes two units is not a beginning.
  return beginning.isWellFormed() ? beginning : id.slice(0, length + 1);
}

/** The interaction whose id begins with what was typed; a whole id is always itself. */
export async function resolveId(memory: PersonMemory, typed: string): Promise<string> {
  if (typed.trim() === "") return typed;
  // An id that nobody has is for the command to report, which knows what it was needed for.
  if ((await readHistory(memory, { ids: [typed] })).length > 0) return typed;
  return complete(
    typed,
    (await readHistory(memory)).map(({ id }) => id),
  );
}

export function complete(typed: string, ids: readonly string[]): string {
  if (ids.includes(typed)) return typed;
  const candidates = ids.filter((id) => id.startsWith(typed)).sort(compare);
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

function compare(x: string, y: string): number {
  return x < y ? -1 : Number(x > y);
}

function sharedLength(x: string, y: string): number {
  let length = 0;
  while (length < x.length && x[length] === y[length]) length++;
  return length;
}
