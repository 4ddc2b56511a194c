/** Which interactions and memories a caller means: by their metadata, and by when they took place. */
import type { Metadata } from "../graph/metadata.js";
import { InputError } from "../errors.js";
import { type Time, parseTime } from "./interaction.js";
import { type MemoryFilter, parseFilter } from "./memory-filter.js";

export interface MemorySelection {
  /** What the metadata must be. */
  readonly filter?: MemoryFilter;
  /** Took place at this time or later. */
  readonly from?: Time;
  /** Took place before this time. */
  readonly to?: Time;
}

export const selectionNames = ["filter", "from", "to"] as const satisfies (keyof MemorySelection)[];

export interface ParsedSelection {
  readonly passes: (metadata: Metadata, initMs: number) => boolean;
  /** False if it says nothing that an interaction could fail. */
  readonly restricts: boolean;
}

/** Null if nothing is said about it. */
export function parseMemorySelection(
  { filter, from, to }: { readonly [Name in keyof MemorySelection]?: unknown },
  timeZone: string,
): ParsedSelection | null {
  if (filter === undefined && from === undefined && to === undefined) return null;
  const fromMs = from === undefined ? -Infinity : parseTime(from as Time, "from", timeZone);
  const toMs = to === undefined ? Infinity : parseTime(to as Time, "to", timeZone);
  if (fromMs >= toMs) {
    const [first, last] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    const message = `from ${first} is not before to ${last}; to is the first moment that is not meant any more`;
    throw new InputError("time_invalid", message);
  }
  const parsed = filter === undefined ? null : parseFilter(filter);
  return {
    passes: (metadata, initMs) => initMs >= fromMs && initMs < toMs && (parsed === null || parsed.passes(metadata)),
    restricts: parsed?.restricts === true || from !== undefined || to !== undefined,
  };
}
