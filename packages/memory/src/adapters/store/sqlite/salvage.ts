/**
 * What is damaged, and what can still be read. Rows are fetched one by one by their keys, so that a page that cannot be
 * read costs its own rows only. The keys come from an index or, where it does not lead to as many rows as there should
 * be, from trying all of them.
 */
import type { Edge, EmbeddedNode } from "../../../core/graph/memory-node.js";
import {
  type CoreSummary,
  type HistoryEntry,
  type HistorySelection,
  type SalvagedPerson,
  type StoreDamage,
} from "../../../ports/store.js";
import { isAfter, readCursor } from "../cursor.js";
import { toEmbeddedNode } from "../content.js";
import { decodeLeniently, decodeText } from "./damage.js";
import {
  type Checked,
  MarkSum,
  type RowReader,
  checkEdge,
  checkInteraction,
  checkMemory,
  checkPerson,
  edgeColumns,
  interactionColumns,
  memoryColumns,
  personColumns,
} from "./reading.js";
import { type EdgeRow, type InteractionRow, type MemoryRow, toHistoryEntry } from "./rows.js";
import { tokensOfMemory } from "./tokens.js";

/** A person as far as it can be read. */
interface SalvagedName {
  readonly key: number;
  readonly name: string;
  readonly coreSummary: string | null;
  readonly isDamaged: boolean;
}

interface PersonRows {
  readonly interactions: readonly Checked<InteractionRow>[];
  readonly memories: readonly Checked<MemoryRow>[];
  readonly edges: readonly Checked<EdgeRow>[];
}

export class Salvage {
  readonly #reader: RowReader;

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  person(name: string): SalvagedPerson {
    const person = this.#names().find((each) => each.name === name);
    if (person === undefined) return { entries: [], nodes: [], edges: [], coreSummary: null };
    const { interactions, memories, edges } = this.#rowsOf(person);
    const { coreSummary } = person;
    return {
      entries: wholeRows(interactions).map(toHistoryEntry),
      nodes: wholeRows(memories).map((row) => this.#toNode(row, name)),
      edges: joinEdges(wholeRows(edges), wholeRows(memories)),
      coreSummary: coreSummary === null ? null : (JSON.parse(coreSummary) as CoreSummary),
    };
  }

  /** The interactions that are whole. */
  entries(name: string, { ids, outcomes, after, limit, newestFirst = false }: HistorySelection): HistoryEntry[] {
    const person = this.#names().find((each) => each.name === name);
    if (person === undefined) return [];
    const found = wholeRows(this.#rowsOf(person).interactions)
      .filter(({ sequence }) => isAfter(sequence, readCursor(after), newestFirst))
      .filter(({ id, outcome }) => (ids?.includes(id) ?? true) && (outcomes?.includes(outcome) ?? true));
    return (newestFirst ? found.reverse() : found).slice(0, limit).map(toHistoryEntry);
  }

  damage(): StoreDamage[] {
    const damage: StoreDamage[] = this.#damagedSettings();
    for (const person of this.#names()) {
      if (person.isDamaged) damage.push({ person: person.name, id: null, part: "the record is damaged" });
      damage.push(...this.#damageOf(person));
    }
    const { connection } = this.#reader;
    const pages = attempt(() => connection.checkPages()) ?? ["the file's own check fails"];
    return [...damage, ...pages.map((part) => ({ person: null, id: null, part }))];
  }

  #damageOf(person: SalvagedName): StoreDamage[] {
    const { interactions, memories, edges } = this.#rowsOf(person);
    const tokens = wholeRows(memories).flatMap((row) => tokensOfMemory(this.#reader, row, person.name) ?? []);
    const rows = [...interactions, ...memories, ...tokens, ...edges].flatMap((row) =>
      "damage" in row ? [row.damage] : [],
    );
    // Whole rows may be too few, or lead nowhere.
    const tally = attempt(() => this.#reader.tally(person));
    const wholeInteractions = wholeRows(interactions);
    const queuedCount = wholeInteractions.filter(({ outcome }) => outcome === "queued").length;
    const expiringCount = wholeInteractions.filter(({ expiresMs }) => expiresMs !== null).length;
    const joined = joinEdges(wholeRows(edges), wholeRows(memories));
    const lists = [
      { part: "the tally is missing", isWhole: tally !== undefined },
      {
        part: "the list of interactions is incomplete",
        isWhole: sumIs(interactions, tally?.interactionCount, tally?.interactionMarks),
      },
      { part: "the queue is incomplete", isWhole: queuedCount === tally?.queuedCount },
      { part: "the list of what expires is incomplete", isWhole: expiringCount === tally?.expiringCount },
      { part: "the list of memories is incomplete", isWhole: sumIs(memories, tally?.memoryCount, tally?.memoryMarks) },
      {
        part: "the list of edges is incomplete",
        isWhole: sumIs(edges, tally?.edgeCount, tally?.edgeMarks) && joined.length === edges.length,
      },
    ];
    const incomplete = lists
      .filter(({ isWhole }) => !isWhole)
      .map(({ part }) => ({ person: person.name, id: null, part }));
    return rows.length > 0 ? rows : incomplete;
  }

  #toNode(row: MemoryRow, person: string): EmbeddedNode {
    const tokens = tokensOfMemory(this.#reader, row, person);
    return { ...toEmbeddedNode(row), tokenBytes: tokens !== undefined && "row" in tokens ? tokens.row : null };
  }

  #damagedSettings(): StoreDamage[] {
    const { connection } = this.#reader;
    const names = attempt(() => connection.allValues("SELECT CAST(name AS BLOB) FROM setting", []));
    if (names === undefined) return [{ person: null, id: null, part: "the settings cannot be read" }];
    return names.flatMap(([bytes]) => {
      const name = decodeText(bytes as Uint8Array);
      const isWhole = name !== undefined && attempt(() => connection.setting(name) ?? undefined) !== undefined;
      return isWhole
        ? []
        : [{ person: null, id: null, part: `the setting "${decodeLeniently(bytes) ?? ""}" is damaged` }];
    });
  }

  /** If a row is damaged or gone, the index may still know the name, and the mark says whether it is right. */
  #names(): SalvagedName[] {
    const { connection } = this.#reader;
    const sql = "SELECT CAST(name AS BLOB), key FROM person INDEXED BY sqlite_autoindex_person_1";
    const indexed = new Map((attempt(() => connection.allValues(sql, [])) ?? []).map(([name, key]) => [key, name]));
    const lastKey = this.#lastKey("SELECT max(key) FROM person", [...indexed.keys()] as number[]);
    return this.#probe<SalvagedName>(lastKey, (key) => {
      const read = (): unknown[] | undefined =>
        connection.values(`SELECT ${personColumns} FROM person WHERE key = ?`, [key]);
      const values = attempt(read);
      const name = indexed.get(key);
      const known = values === undefined ? [] : [values, values.with(1, name)];
      const checked = known.map((each) => checkPerson(each, connection.marker));
      const [whole] = wholeRows(checked);
      const isDamaged = checked[0] === undefined || "damage" in checked[0];
      if (whole !== undefined) return { key, name: whole.name, coreSummary: whole.coreSummary, isDamaged };
      const legible = decodeLeniently(name) ?? decodeLeniently(values?.[1]);
      return legible === null ? undefined : { key, name: legible, coreSummary: null, isDamaged };
    });
  }

  #rowsOf({ key: person, name }: SalvagedName): PersonRows {
    const { connection } = this.#reader;
    const { marker } = connection;
    const tally = attempt(() => this.#reader.tally({ key: person, name }));
    const fetch =
      <Row>(sql: string, check: (values: readonly unknown[]) => Checked<Row>) =>
      (key: number): Checked<Row> | undefined => {
        const values = connection.values(sql, [key]);
        return values?.[1] === person ? check(values) : undefined;
      };
    const edgeSql = `SELECT ${edgeColumns} FROM edge e NOT INDEXED WHERE e.person = ?`;
    return {
      interactions: this.#fetchAll(
        fetch(`SELECT ${interactionColumns} FROM interaction i WHERE i.sequence = ?`, (values) =>
          checkInteraction(values, marker, name),
        ),
        { sql: "SELECT sequence FROM interaction WHERE person = ?", person, count: tally?.interactionCount },
        "SELECT seq FROM sqlite_sequence WHERE name = 'interaction'",
      ),
      memories: this.#fetchAll(
        fetch(`SELECT ${memoryColumns} FROM memory m WHERE m.key = ?`, (values) => checkMemory(values, marker, name)),
        { sql: "SELECT key FROM memory WHERE person = ?", person, count: tally?.memoryCount },
        "SELECT max(key) FROM memory",
      ),
      edges: (attempt(() => connection.allValues(edgeSql, [person])) ?? []).map((values) =>
        checkEdge(values, marker, name),
      ),
    };
  }

  /** By the keys of an index if it has as many as it should; otherwise all keys are tried. */
  #fetchAll<Row>(
    fetch: (key: number) => Checked<Row> | undefined,
    index: { readonly sql: string; readonly person: number; readonly count: number | undefined },
    lastKeySql: string,
  ): Checked<Row>[] {
    const { connection } = this.#reader;
    const keys = attempt(() => connection.allValues(index.sql, [index.person])) ?? [];
    const rows = keys.map(([key]) => key as number).sort((x, y) => x - y);
    const found = rows.flatMap((key) => attempt(() => fetch(key)) ?? []);
    return found.length === index.count ? found : this.#probe(this.#lastKey(lastKeySql, rows), fetch);
  }

  #probe<Row>(lastKey: number, fetch: (key: number) => Row | undefined): Row[] {
    const rows: Row[] = [];
    for (let key = 1; key <= lastKey; key++) {
      const row = attempt(() => fetch(key));
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** Where the table does not say how many keys there are, those of an index and as many again as most files have. */
  #lastKey(sql: string, indexed: readonly number[]): number {
    const keysTriedBlindly = 5_000;
    const known = indexed.reduce((last, key) => Math.max(last, key), 0);
    const last = attempt(() => this.#reader.connection.number(sql) ?? 0) ?? known + keysTriedBlindly;
    return Math.max(Math.min(last, keysTriedAtMost), known);
  }
}

/** A damaged number may be any. */
const keysTriedAtMost = 1_000_000;

/** Undefined where the file cannot be read. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function wholeRows<Row>(rows: readonly Checked<Row>[]): Row[] {
  return rows.flatMap((checked) => ("row" in checked ? [checked.row] : []));
}

function sumIs(rows: readonly Checked<unknown>[], count: number | undefined, marks: number | undefined): boolean {
  const sum = new MarkSum();
  for (const checked of rows) if ("row" in checked) sum.take(checked);
  return count !== undefined && marks !== undefined && sum.is(count, marks);
}

/** Edges with the ids of their memories; without those whose memories are not there. */
function joinEdges(edges: readonly EdgeRow[], memories: readonly MemoryRow[]): Edge[] {
  const ids = new Map(memories.map(({ key, id }) => [key, id]));
  return edges.flatMap(({ a, b, weight, boostMs, boostedMs }) => {
    const [idA, idB] = [ids.get(a), ids.get(b)];
    return idA === undefined || idB === undefined ? [] : [{ a: idA, b: idB, weight, boostMs, boostedMs }];
  });
}
