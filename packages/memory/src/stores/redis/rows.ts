/**
 * Records as Redis has them. A row is `place version mark queue expiry\n` and the bytes, under `kind\0id`; a member of the
 * lists of a person is `kind\0`, the place in 16 digits, and the id, so that the bytes of a kind are in order of places.
 */
import { addMarks, markOf } from "../marks.js";
import type * as port from "../store.js";

const placeLength = 16;

export type Rows = readonly (Buffer | null)[];

export interface Member extends port.RecordKey {
  readonly place: number;
  readonly row: Buffer | null;
}

export function toPlace(place: number): string {
  return String(place).padStart(placeLength, "0");
}

export function fieldOf({ kind, id }: port.RecordKey): string {
  return `${encodeURIComponent(kind)}\0${id}`;
}

/** Of what may have been altered. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function packPut(put: port.RecordPut): (string | Buffer)[] {
  const { was = "", due: { queue = "-", expiry = "-" } = {} } = put;
  return [fieldOf(put), String(was), String(markOf(put, 0)), String(queue), String(expiry), Buffer.from(put.bytes)];
}

/** Those of the members that are asked for. */
export function membersOf(
  members: readonly string[],
  rows: Rows | null,
  { kinds, ids, newestFirst, after }: port.ReadSelection,
): Member[] {
  const idSet = ids && new Set(ids);
  return members.flatMap((member, i): Member[] => {
    const at = member.indexOf("\0") + 1;
    const [kind, id] = [decode(member.slice(0, at - 1)), member.slice(at + placeLength)];
    const place = Number(member.slice(at, at + placeLength));
    const isAfter = after === undefined || (newestFirst === true ? place < after : place > after);
    const isAsked = isAfter && (kinds?.includes(kind) ?? true) && (idSet?.has(id) ?? true);
    return isAsked ? [{ kind, id, place, row: rows?.[i] ?? null }] : [];
  });
}

/** Null if it is not what was written. */
export function openRow(
  key: port.RecordKey & { readonly place: number },
  row: Buffer | null,
): { record: port.StoredRecord | null; mark: number } {
  if (row === null) return { record: null, mark: 0 };
  const end = row.indexOf("\n");
  const [place, version, mark, queue, expiry] = row.toString("latin1", 0, end).split(" ");
  const due = { ...(queue !== "-" && { queue: Number(queue) }), ...(expiry !== "-" && { expiry: Number(expiry) }) };
  const isDue = queue !== "-" || expiry !== "-";
  // A copy is aligned, and keeps no larger piece alive.
  const record = {
    ...key,
    version: Number(version),
    bytes: new Uint8Array(row.subarray(end + 1)),
    ...(isDue && { due }),
  };
  const isWhole =
    Number(mark) === addMarks(addMarks(markOf(record, 0), record.version), key.place) && Number(place) === key.place;
  return { record: isWhole ? record : null, mark: Number(mark) || 0 };
}
