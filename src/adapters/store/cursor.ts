/** Cursors of a history: the number under which an interaction was accepted, as text. */
import { InputError } from "../../errors.js";

export function toCursor(sequence: number): string {
  return String(sequence);
}

/** 0, before every interaction, if there is no cursor. */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const sequence = /^\d{1,15}$/u.test(cursor) ? Number(cursor) : NaN;
  if (!Number.isNaN(sequence)) return sequence;
  throw new InputError("option_invalid", "the cursor is none; use one that came with an earlier part of the list");
}
