/** Cursors of a history: the number under which an interaction was accepted, as text. */

export function toCursor(sequence: number): string {
  return String(sequence);
}

/** 0, before every interaction, if there is no cursor; NaN for what is none. */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  return /^\d{1,15}$/u.test(cursor) ? Number(cursor) : NaN;
}

/** Whether a number comes after that of a cursor; 0 is before everything in either order. */
export function isAfter(sequence: number, cursor: number, newestFirst: boolean): boolean {
  return newestFirst && cursor > 0 ? sequence < cursor : sequence > cursor;
}

/** How stores refuse what is none. */
export const badCursor = "the cursor is none; use one that came with an earlier part of the list";
