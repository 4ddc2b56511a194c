/**
 * Token vectors: rows of their own next to the memories, read for a few at a time. They can be made again, so damaged ones
 * count as missing; only the report of damage names them.
 */
import { isDamage } from "../../../errors.js";
import { toStoreError } from "./error.js";
import type { Marker } from "./mark.js";
import type { Checked, RowReader } from "./reading.js";
import { type PersonRow, type TokenPlace, markTokens } from "./rows.js";

const tokenColumns = "CAST(t.mark AS INTEGER), CAST(t.bytes AS BLOB)";

export function readTokens(reader: RowReader, person: PersonRow, ids: readonly string[]): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const id of ids) {
    const bytes = tokensOfId(reader, person, id);
    // Copied, because small buffers are slices of a larger one, which would be sent whole.
    if (bytes !== undefined) found.set(id, new Uint8Array(bytes));
  }
  return found;
}

/** Of a memory whose row is whole; undefined if it has none. */
export function tokensOfMemory(
  { connection }: Pick<RowReader, "connection">,
  memory: TokenPlace & { readonly id: string },
  person: string,
): Checked<Uint8Array> | undefined {
  const damage = { person, id: memory.id, part: "the token vectors are damaged" };
  try {
    const values = connection.values(`SELECT ${tokenColumns} FROM token t WHERE t.memory = ?`, [memory.key]);
    return values === undefined ? undefined : (check(values, memory, connection.marker) ?? { damage });
  } catch {
    return { damage };
  }
}

function tokensOfId({ connection }: RowReader, { key }: PersonRow, id: string): Uint8Array | undefined {
  const sql = `SELECT ${tokenColumns}, CAST(m.key AS INTEGER), CAST(m.content_mark AS INTEGER)
     FROM memory m JOIN token t ON t.memory = m.key WHERE m.person = ? AND m.id = ?`;
  try {
    const values = connection.values(sql, [key, id]);
    if (values === undefined) return undefined;
    const place = { key: values[2] as number, contentMark: values[3] as number };
    return check(values, place, connection.marker)?.row;
  } catch (error) {
    if (isDamage(toStoreError("tokens", connection.path, error))) return undefined;
    throw error;
  }
}

function check(
  [mark, bytes]: readonly unknown[],
  place: TokenPlace,
  marker: Marker,
): { readonly row: Uint8Array; readonly mark: number } | undefined {
  const isWhole = bytes instanceof Uint8Array && markTokens(place, bytes, marker) === mark;
  return isWhole ? { row: bytes, mark: mark as number } : undefined;
}
