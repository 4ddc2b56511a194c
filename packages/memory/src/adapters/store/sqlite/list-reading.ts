/** Lists that are read in parts: a history, and what expires. A list that is shorter than the tally says is refused. */
import type { ExpiredInteraction } from "../../../ports/store.js";
import {
  type RowReader,
  checkInteraction,
  checkInteractionHead,
  interactionColumns,
  interactionHeadColumns,
} from "./reading.js";
import type { InteractionRow, PersonRow } from "./rows.js";

const interactionsPerPage = 100;

const expiringCountSql = `SELECT (SELECT count(*) FROM interaction WHERE expires_ms IS NOT NULL),
  (SELECT coalesce(sum(CAST(expiring_count AS INTEGER)), 0) FROM tally)`;

export interface InteractionPart {
  /** A sequence number; 0 for the beginning. */
  readonly after: number;
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly isWanted: (row: InteractionRow) => boolean;
}

/**
 * At most `limit` of the interactions after a sequence number that are wanted. Their list is compared with the tally by
 * its length alone, so that a part costs little more than its own rows.
 */
export function interactionsAfter(
  reader: RowReader,
  person: PersonRow,
  { after, newestFirst, limit, isWanted }: InteractionPart,
): InteractionRow[] {
  const { key, name } = person;
  const from = "FROM interaction i WHERE i.person = ? AND i.sequence";
  const count = reader.connection.number(`SELECT count(*) ${from} > ?`, [key, 0]);
  const part = "the list of interactions is incomplete";
  reader.expect(count === reader.tally(person).interactionCount, { person: name, id: null, part });
  const wanted: InteractionRow[] = [];
  const [side, order] = newestFirst ? ["<", " DESC"] : [">", ""];
  const sql = `SELECT ${interactionColumns} ${from} ${side} ? ORDER BY i.sequence${order} LIMIT ?`;
  for (let last = newestFirst && after === 0 ? Number.MAX_SAFE_INTEGER : after; wanted.length < limit;) {
    const page = reader.connection.allValues(sql, [key, last, interactionsPerPage]);
    for (const values of page) {
      const row = reader.whole(checkInteraction(values, reader.connection.marker, name));
      if (wanted.length < limit && isWanted(row)) wanted.push(row);
      last = row.sequence;
    }
    if (page.length < interactionsPerPage) break;
  }
  return wanted;
}

/** The next to expire first. All of them have to be there: one that is not found would never be forgotten. */
export function findExpiring(
  reader: RowReader,
  untilMs: number,
  limit: number,
): (ExpiredInteraction & { expiresMs: number })[] {
  const [counted, tallied] = reader.connection.values(expiringCountSql, [])!;
  reader.expect(counted === tallied, { person: null, id: null, part: "the list of what expires is incomplete" });
  const sql = `SELECT ${interactionHeadColumns}, CAST(p.name AS BLOB) FROM interaction i JOIN person p ON p.key = i.person
     WHERE i.expires_ms <= ? ORDER BY i.expires_ms LIMIT ?`;
  return reader.connection.allValues(sql, [untilMs, limit]).map((values) => {
    const person = reader.name(values.at(-1));
    const { id, expiresMs } = reader.whole(checkInteractionHead(values, reader.connection.marker, person));
    return { person, id, expiresMs: expiresMs! };
  });
}
