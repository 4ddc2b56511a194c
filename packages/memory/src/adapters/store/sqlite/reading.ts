/**
 * Reading rows. Everything is read as bytes and numbers, whatever type a damaged row claims to have, because libsql ends
 * the process over bytes that are no text. A row whose mark is wrong is never returned.
 */
import { type Outcome, type OutcomeCounts, type StoreDamage, isOutcome } from "../../../ports/store.js";
import type { SqliteConnection } from "./connection.js";
import { damaged, decodeLeniently, decodeText } from "./damage.js";
import { type Marker, addMarks } from "./mark.js";
import {
  type EdgeRow,
  type InteractionHead,
  type InteractionRow,
  type MemoryHead,
  type MemoryRow,
  type PersonRow,
  type RemovalRow,
  markEdge,
  markInteraction,
  markMemory,
  markPerson,
} from "./rows.js";

export interface Tally {
  readonly interactionCount: number;
  readonly interactionMarks: number;
  readonly idMarks: number;
  readonly queuedCount: number;
  readonly expiringCount: number;
  readonly memoryCount: number;
  readonly memoryMarks: number;
  readonly edgeCount: number;
  readonly edgeMarks: number;
}

/** A row, or what is known of one that is damaged. */
export type Checked<Row> = { readonly row: Row; readonly mark: number } | { readonly damage: StoreDamage };

type Values = readonly unknown[];
type Check<Row> = (values: Values, marker: Marker, person: string | null) => Checked<Row>;

export const personColumns = `CAST(key AS INTEGER), CAST(name AS BLOB), CAST(revision AS INTEGER),
  CAST(whole_below AS INTEGER), CAST(core_summary AS BLOB), CAST(commits_since_core_summary AS INTEGER),
  CAST(mark AS INTEGER)`;

export const interactionHeadColumns = `CAST(i.sequence AS INTEGER), CAST(i.person AS INTEGER), CAST(i.id AS BLOB),
  CAST(i.outcome AS BLOB), CAST(i.body_mark AS INTEGER), CAST(i.trace AS BLOB), CAST(i.mark AS INTEGER),
  CAST(i.expires_ms AS REAL)`;

export const interactionColumns = `${interactionHeadColumns}, CAST(i.body AS BLOB)`;

const memoryHeadColumns = `CAST(m.key AS INTEGER), CAST(m.person AS INTEGER), CAST(m.id AS BLOB),
  CAST(m.revision AS INTEGER), CAST(m.pair_id AS BLOB), CAST(m.content_mark AS INTEGER), CAST(m.mark AS INTEGER),
  CAST(m.updates AS BLOB), CAST(m.pinned_area AS BLOB), CAST(m.metadata AS BLOB), CAST(m.expires_ms AS REAL)`;

export const memoryColumns = `${memoryHeadColumns}, CAST(m.content AS BLOB)`;

export const edgeColumns = `CAST(e.a AS INTEGER), CAST(e.b AS INTEGER), CAST(e.person AS INTEGER),
  CAST(e.revision AS INTEGER), CAST(e.weight AS REAL), CAST(e.boost_ms AS REAL), CAST(e.boosted_ms AS REAL),
  CAST(e.mark AS INTEGER)`;

export function checkPerson(values: Values, marker: Marker): Checked<PersonRow> {
  const [key, nameBytes, revision, wholeBelow, coreSummaryBytes, commitsSinceCoreSummary, mark] = values;
  const name = textOf(nameBytes);
  const coreSummary = textOrNull(coreSummaryBytes);
  if (name !== undefined && coreSummary !== undefined) {
    const row = { key, name, revision, wholeBelow, coreSummary, commitsSinceCoreSummary } as PersonRow;
    if (markPerson(row, marker) === mark) return { row, mark: mark as number };
  }
  return { damage: { person: decodeLeniently(nameBytes), id: null, part: "the record is damaged" } };
}

export function checkInteractionHead(values: Values, marker: Marker, person: string | null): Checked<InteractionHead> {
  const [sequence, personKey, idBytes, outcomeBytes, bodyMark, traceBytes, mark, expiresMs] = values;
  const id = textOf(idBytes);
  const outcome = textOf(outcomeBytes);
  const trace = textOrNull(traceBytes);
  if (id !== undefined && isOutcome(outcome) && trace !== undefined) {
    const row = { sequence, person: personKey, id, outcome, bodyMark, trace, expiresMs } as InteractionHead;
    if (markInteraction(row, marker) === mark) return { row, mark: mark as number };
  }
  return { damage: { person, id: decodeLeniently(idBytes), part: "the interaction is damaged" } };
}

export function checkInteraction(values: Values, marker: Marker, person: string | null): Checked<InteractionRow> {
  const head = checkInteractionHead(values, marker, person);
  if ("damage" in head) return head;
  const body = values[8];
  if (body instanceof Uint8Array && marker.of(body) === head.row.bodyMark)
    return { ...head, row: { ...head.row, body } };
  return { damage: { person, id: head.row.id, part: "the interaction is damaged" } };
}

function checkMemoryHead(values: Values, marker: Marker, person: string | null): Checked<MemoryHead> {
  const head = readMemoryHead(values);
  const mark = values[6] as number;
  if (head !== undefined && markMemory(head, marker) === mark) return { row: head, mark };
  return { damage: { person, id: decodeLeniently(values[2]), part: "the memory is damaged" } };
}

export function checkMemory(values: Values, marker: Marker, person: string | null): Checked<MemoryRow> {
  const head = readMemoryHead(values);
  const [mark, content] = [values[6] as number, values[11]];
  const isWhole =
    head !== undefined &&
    content instanceof Uint8Array &&
    markMemory(head, marker) === mark &&
    marker.of(content) === head.contentMark;
  if (isWhole) return { row: Object.assign(head, { content }), mark };
  return { damage: { person, id: decodeLeniently(values[2]), part: "the memory is damaged" } };
}

/** Undefined if its texts are none. */
function readMemoryHead(values: Values): MemoryHead | undefined {
  const [
    key,
    person,
    idBytes,
    revision,
    pairBytes,
    contentMark,
    ,
    updatesBytes,
    pinnedBytes,
    metadataBytes,
    expiresMs,
  ] = values;
  const id = textOf(idBytes);
  const pairId = textOrNull(pairBytes);
  const updates = textOrNull(updatesBytes);
  const pinnedArea = textOrNull(pinnedBytes);
  const metadata = textOrNull(metadataBytes);
  if (id === undefined || [pairId, updates, pinnedArea, metadata].includes(undefined)) return undefined;
  return { key, person, id, revision, pairId, contentMark, updates, pinnedArea, metadata, expiresMs } as MemoryHead;
}

export function checkEdge(values: Values, marker: Marker, person: string | null): Checked<EdgeRow> {
  const [a, b, personKey, revision, weight, boostMs, boostedMs, mark] = values;
  const row = { a, b, person: personKey, revision, weight, boostMs, boostedMs } as EdgeRow;
  if (markEdge(row, marker) === mark) return { row, mark: mark as number };
  return { damage: { person, id: null, part: "an edge is damaged" } };
}

function textOf(value: unknown): string | undefined {
  return value instanceof Uint8Array ? decodeText(value) : undefined;
}

/** Undefined if it is damaged. */
function textOrNull(value: unknown): string | null | undefined {
  return value === null ? null : textOf(value);
}

/** Reads what a query asks for, and refuses what is damaged. */
export class RowReader {
  readonly connection: SqliteConnection;
  /** Persons whose index of ids was compared with their tally. */
  readonly #withCheckedIds = new Set<number>();
  #areNamesChecked = false;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  person(name: string): PersonRow | undefined {
    const values = this.connection.values(`SELECT ${personColumns} FROM person WHERE name = ?`, [name]);
    if (values !== undefined) return this.whole(checkPerson(values, this.connection.marker));
    // An index that is damaged may not find what is there.
    if (!this.#areNamesChecked) this.names();
    return undefined;
  }

  /** Names of all persons, sorted. Index and table have to agree; one statement sees both at the same moment. */
  names(): string[] {
    const rows = this.connection.allValues(
      `SELECT 0, CAST(name AS BLOB) FROM person INDEXED BY sqlite_autoindex_person_1
      UNION ALL SELECT 1, CAST(name AS BLOB) FROM person NOT INDEXED ORDER BY 1, 2`,
      [],
    );
    const list = (source: number): string[] =>
      rows.filter(([from]) => from === source).map(([, name]) => this.name(name));
    const [names, own] = [list(0), list(1)];
    const different = own.find((name, i) => name !== names[i]) ?? (names.length > own.length ? names.at(-1)! : null);
    if (different !== null) this.#refuse({ person: different, id: null, part: "the name is damaged" });
    this.#areNamesChecked = true;
    return names;
  }

  /** Names after another, at most so many; the index was compared with the table once. */
  namesAfter(after: string | undefined, limit: number): string[] {
    if (!this.#areNamesChecked) this.names();
    const [where, bind] = after === undefined ? ["", []] : ["WHERE name > ?", [after]];
    const rows = this.connection.allValues(`SELECT CAST(name AS BLOB) FROM person ${where} ORDER BY name LIMIT ?`, [
      ...bind,
      limit,
    ]);
    return rows.map(([name]) => this.name(name));
  }

  tally({ key, name }: Pick<PersonRow, "key" | "name">): Tally {
    const values = this.connection.values(`SELECT ${tallyColumns} FROM tally WHERE person = ?`, [key]);
    if (values === undefined) this.#refuse({ person: name, id: null, part: "the tally is missing" });
    return Object.fromEntries(tallyNames.map((name, i) => [name, values[i] as number])) as unknown as Tally;
  }

  /** The interaction with an id. */
  interaction(person: PersonRow, id: string): InteractionRow | undefined {
    return this.#interactionWith(interactionColumns, checkInteraction, person, id);
  }

  interactionHead(person: PersonRow, id: string): InteractionHead | undefined {
    return this.#interactionWith(interactionHeadColumns, checkInteractionHead, person, id);
  }

  /** All interactions, in order of acceptance. */
  interactions(person: PersonRow): InteractionRow[] {
    return this.#allInteractions(interactionColumns, checkInteraction, person);
  }

  interactionHeads(person: PersonRow): InteractionHead[] {
    return this.#allInteractions(interactionHeadColumns, checkInteractionHead, person);
  }

  queued(person: PersonRow, countMax: number): InteractionRow[] {
    const sql = `SELECT ${interactionColumns} FROM interaction i
       WHERE i.person = ? AND i.outcome = 'queued' ORDER BY i.sequence LIMIT ?`;
    const rows = this.connection
      .allValues(sql, [person.key, countMax])
      .map((values) => this.whole(checkInteraction(values, this.connection.marker, person.name)));
    this.#expectQueued(person.name, rows.length, Math.min(countMax, this.tally(person).queuedCount));
    return rows;
  }

  /** In one question, because every recall asks it. */
  queuedCount(name: string): number {
    const sql = `SELECT (SELECT count(*) FROM interaction WHERE person = p.key AND outcome = 'queued'),
         (SELECT CAST(queued_count AS INTEGER) FROM tally WHERE person = p.key)
       FROM person p WHERE p.name = ?`;
    const [foundCount = 0, queuedCount = 0] = (this.connection.values(sql, [name]) ?? []) as number[];
    this.#expectQueued(name, foundCount, queuedCount);
    return queuedCount;
  }

  outcomeCounts(person: PersonRow): OutcomeCounts {
    const counts: Partial<Record<Outcome, number>> = {};
    for (const { outcome } of this.interactionHeads(person)) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  }

  /** Where index and tally disagree, both count: who asks for such a queue is told that it is damaged. */
  namesWithQueue(): string[] {
    const sql = `SELECT CAST(name AS BLOB) FROM person WHERE key IN (
         SELECT person FROM interaction WHERE outcome = 'queued' UNION SELECT person FROM tally WHERE queued_count <> 0
       ) ORDER BY name`;
    return this.connection.allValues(sql, []).flatMap(([name]) => textOf(name) ?? []);
  }

  memoryHead({ key, name }: PersonRow, id: string): MemoryHead | undefined {
    const sql = `SELECT ${memoryHeadColumns} FROM memory m WHERE m.person = ? AND m.id = ?`;
    const values = this.connection.values(sql, [key, id]);
    return values === undefined ? undefined : this.whole(checkMemoryHead(values, this.connection.marker, name));
  }

  /** The id of the memory with a key, which an edge names. */
  memoryId({ name }: PersonRow, key: number): string {
    const values = this.connection.values(`SELECT ${memoryHeadColumns} FROM memory m WHERE m.key = ?`, [key]);
    if (values === undefined) this.#refuse({ person: name, id: null, part: "an edge is damaged" });
    return this.whole(checkMemoryHead(values, this.connection.marker, name)).id;
  }

  removals({ key, name }: PersonRow, sinceRevision: number): RemovalRow[] {
    const sql = `SELECT CAST(revision AS INTEGER), CAST(a AS BLOB), CAST(b AS BLOB), CAST(mark AS INTEGER)
       FROM removal WHERE person = ? AND revision > ?`;
    return this.connection.allValues(sql, [key, sinceRevision]).map(([revision, aBytes, bBytes, mark]) => {
      const a = textOf(aBytes);
      const b = textOrNull(bBytes);
      if (a !== undefined && b !== undefined && this.connection.marker.of(key, revision as number, a, b) === mark) {
        return { a, b };
      }
      return this.#refuse({ person: name, id: decodeLeniently(aBytes), part: "a removal is damaged" });
    });
  }

  whole<Row>(checked: Checked<Row>): Row {
    return this.wholeWithMark(checked).row;
  }

  wholeWithMark<Row>(checked: Checked<Row>): { row: Row; mark: number } {
    return "row" in checked ? checked : this.#refuse(checked.damage);
  }

  expect(isWhole: boolean, damage: StoreDamage): void {
    if (!isWhole) this.#refuse(damage);
  }

  #interactionWith<Row>(columns: string, check: Check<Row>, { key, name }: PersonRow, id: string): Row | undefined {
    const sql = `SELECT ${columns} FROM interaction i WHERE i.person = ? AND i.id = ?`;
    const values = this.connection.values(sql, [key, id]);
    if (values !== undefined) return this.whole(check(values, this.connection.marker, name));
    this.#checkIds(key, name);
    return undefined;
  }

  #allInteractions<Row>(columns: string, check: Check<Row>, person: PersonRow): Row[] {
    const { interactionCount, interactionMarks } = this.tally(person);
    const sql = `SELECT ${columns} FROM interaction i WHERE i.person = ? ORDER BY i.sequence`;
    const sum = new MarkSum();
    const rows = this.connection
      .allValues(sql, [person.key])
      .map((values) => sum.take(this.wholeWithMark(check(values, this.connection.marker, person.name))));
    const part = "the list of interactions is incomplete";
    this.expect(sum.is(interactionCount, interactionMarks), { person: person.name, id: null, part });
    return rows;
  }

  name(name: unknown): string {
    return textOf(name) ?? this.#refuse({ person: decodeLeniently(name), id: null, part: "the name is damaged" });
  }

  #expectQueued(name: string, foundCount: number, count: number): void {
    this.expect(foundCount === count, { person: name, id: null, part: "the queue is incomplete" });
  }

  /** Compares the index of a person's ids with the tally, once: an id that it does not find is really not there. */
  #checkIds(key: number, name: string): void {
    if (this.#withCheckedIds.has(key)) return;
    const sql = "SELECT CAST(id AS BLOB) FROM interaction WHERE person = ?";
    const sum = new MarkSum();
    for (const [id] of this.connection.allValues(sql, [key])) {
      sum.take({ row: null, mark: this.connection.marker.of(id as Uint8Array) });
    }
    const { interactionCount, idMarks } = this.tally({ key, name });
    this.expect(sum.is(interactionCount, idMarks), {
      person: name,
      id: null,
      part: "the index of interactions is damaged",
    });
    this.#withCheckedIds.add(key);
  }

  #refuse(damage: StoreDamage): never {
    throw damaged(this.connection.path, damage);
  }
}

const tallyNames = [
  "interactionCount",
  "interactionMarks",
  "idMarks",
  "queuedCount",
  "expiringCount",
  "memoryCount",
  "memoryMarks",
  "edgeCount",
  "edgeMarks",
] as const satisfies readonly (keyof Tally)[];

const tallyColumns = tallyNames
  .map((name) => `CAST(${name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)} AS INTEGER)`)
  .join(", ");

/** Counts rows and adds up their marks, as the triggers do. */
export class MarkSum {
  #count = 0;
  #marks = 0;

  take<Row>({ row, mark }: { readonly row: Row; readonly mark: number }): Row {
    this.#count++;
    this.#marks = addMarks(this.#marks, mark);
    return row;
  }

  is(count: number, marks: number): boolean {
    return this.#count === count && this.#marks === marks;
  }
}
