/**
 * From schema 5, whose contents have no header and whose vectors of naturalized times lie in the memory's row, to schema 6.
 * A memory that is damaged, or whose token vectors are, stays as it is and is reported like any other damage; where the
 * file itself is damaged, all memories stay as they are. Contents of both forms can be read.
 */
import type { SqliteConnection } from "./connection.js";
import { aligned, isCurrent, memoryContent, numbersIn, toEmbeddedNode } from "./content.js";
import { checkMemory, memoryColumns } from "./reading.js";
import { tokensOfMemory } from "./tokens.js";
import { RowWriter } from "./writing.js";

export function repackContents(connection: SqliteConnection): void {
  const writer = new RowWriter(connection);
  for (const [key] of connection.allValues("SELECT key FROM memory ORDER BY key", [])) {
    repackMemory(key as number, connection, writer);
  }
}

function repackMemory(key: number, connection: SqliteConnection, writer: RowWriter): void {
  const sql = `SELECT ${memoryColumns}, CAST(m.meta AS BLOB) FROM memory m WHERE m.key = ?`;
  const values = connection.values(sql, [key])!;
  const checked = checkMemory(values, connection.marker, null);
  if (!("row" in checked)) return;
  const { contentMark: _, content, ...place } = checked.row;
  if (isCurrent(numbersIn(aligned(content)), 0)) return;
  const tokens = tokensOfMemory({ connection }, checked.row, "");
  if (tokens !== undefined && !("row" in tokens)) return;
  writer.putMemory({ ...place, content: memoryContent(toEmbeddedNode(checked.row)) }, tokens?.row ?? null);
  const meta = values.at(-1);
  if (meta instanceof Uint8Array) writer.putMeta(key, meta);
}
