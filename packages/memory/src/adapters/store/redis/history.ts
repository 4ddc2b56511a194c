/**
 * A person's interactions in Redis: a hash for each, a list in order of acceptance, and a list of the queued ones. A list
 * that is shorter than the head says, a listed row that is missing, and a row that is not what was written are refused,
 * or left out on request.
 */
import { InputError } from "../../../errors.js";
import {
  type AcceptedEntry,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type Outcome,
  type OutcomeCounts,
  type StoredTrace,
  isOutcome,
} from "../../../ports/store.js";
import { badCursor, isAfter, readCursor, toCursor } from "../cursor.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { type ListName, askList } from "./counts.js";
import { DamagedRowError, LostPartError, isWrongType, toDamage } from "./damage.js";
import type { RedisKeys } from "./keys.js";
import { type RedisRows, type Values, interactionFieldNames, resultFieldNames, toScores, toTexts } from "./rows.js";
import { missingScript } from "./small-scripts.js";

const interactionsPerPage = 200;

interface FoundRow {
  readonly id: string;
  readonly values: Values;
  /** Why there are no values. */
  readonly trouble: DamagedRowError | LostPartError | null;
}

export class RedisHistory {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #rows: RedisRows;

  constructor(connection: RedisConnection, keys: RedisKeys, rows: RedisRows) {
    this.#connection = connection;
    this.#keys = keys;
    this.#rows = rows;
  }

  async queued(person: string, countMax: number): Promise<Interaction[]> {
    if (countMax < 1) return [];
    const { queue } = this.#keys.person(person);
    const ids = toTexts(await this.#ask(person, "queue", ["ZRANGE", queue, "0", String(countMax - 1)]));
    const entries = await this.#readEntries(person, ids, false, "queue");
    return entries.filter(({ outcome }) => outcome === "queued").map(({ interaction }) => interaction);
  }

  async queuedCount(person: string): Promise<number> {
    return Number(await this.#ask(person, "queue", ["ZCARD", this.#keys.person(person).queue]));
  }

  async entries(person: string, selection: HistorySelection): Promise<HistoryEntry[]> {
    const { ids, outcomes, skipDamaged = false, newestFirst = false, limit = Infinity } = selection;
    const after = readCursor(selection.after);
    if (Number.isNaN(after)) throw new InputError("option_invalid", badCursor);
    const isWanted = ({ outcome, cursor }: HistoryEntry): boolean =>
      (outcomes?.includes(outcome) ?? true) && isAfter(Number(cursor), after, newestFirst);
    if (ids !== undefined) {
      const found = (await this.#readSelected(person, [...new Set(ids)], skipDamaged)).filter(isWanted);
      return (newestFirst ? found.reverse() : found).slice(0, limit);
    }
    const wanted: HistoryEntry[] = [];
    for (let last = after; wanted.length < limit;) {
      const part = { after: last, count: limit === Infinity ? -1 : interactionsPerPage, newestFirst };
      const page = await this.#listed(person, outcomes, skipDamaged, part);
      const entries = await this.#readEntries(person, [...page.keys()], skipDamaged);
      for (const entry of withCursors(entries, page)) if (isWanted(entry)) wanted.push(entry);
      if (limit === Infinity || page.size < interactionsPerPage) break;
      last = [...page.values()].at(-1)!;
    }
    return wanted.slice(0, limit);
  }

  async outcomeCounts(person: string): Promise<OutcomeCounts> {
    const counts: Partial<Record<Outcome, number>> = {};
    for (const { id, values, trouble } of await this.#readFields(person, await this.#ids(person), ["outcome"])) {
      const outcome = values[0]?.toString() ?? "";
      if (!isOutcome(outcome)) throw trouble ?? damaged(person, id, "outcome");
      counts[outcome as Outcome] = (counts[outcome as Outcome] ?? 0) + 1;
    }
    return counts;
  }

  async traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    const rows = await this.#readFields(person, await this.#ids(person, outcomes), resultFieldNames);
    return rows
      .map(({ id, values, trouble }) => {
        if (trouble !== null) throw trouble;
        return { id, ...this.#rows.readResult(person, id, values) };
      })
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ id, trace }) => ({ id, trace }));
  }

  /** Each of these interactions, or what is wrong with it. */
  async examine(
    person: string,
    ids: readonly string[],
    list: ListName = "history",
  ): Promise<(AcceptedEntry | DamagedRowError | LostPartError)[]> {
    const rows = await this.#readFields(person, ids, interactionFieldNames, list);
    return rows.map((row) => this.#tryRead(person, row));
  }

  /** Any outcome other than queued requires going through all of them. */
  async #ids(person: string, outcomes?: HistorySelection["outcomes"]): Promise<string[]> {
    return [...(await this.#listed(person, outcomes, false, { after: 0, count: -1, newestFirst: false })).keys()];
  }

  /** At most `count` ids after a sequence number, with theirs; -1 for all, and 0 for the beginning. */
  async #listed(
    person: string,
    outcomes: HistorySelection["outcomes"],
    skipDamaged: boolean,
    { after, count, newestFirst }: { after: number; count: number; newestFirst: boolean },
  ): Promise<Map<string, number>> {
    const isQueue = outcomes?.every((outcome) => outcome === "queued") === true;
    const list = isQueue ? "queue" : "history";
    const ends = newestFirst
      ? [after === 0 ? "+inf" : `(${after}`, "-inf", "BYSCORE", "REV"]
      : [`(${after}`, "+inf", "BYSCORE"];
    const range = [...ends, "LIMIT", "0", String(count), "WITHSCORES"];
    const command: RedisCommand = ["ZRANGE", this.#keys.person(person)[list], ...range];
    const reply = await (skipDamaged ? this.#connection.send(...command) : this.#ask(person, list, command));
    return toScores(reply);
  }

  #ask(person: string, list: ListName, command: RedisCommand): Promise<RedisReply> {
    return askList(this.#connection, this.#keys.person(person), person, list, command);
  }

  /** Entries in order of acceptance, whatever the order of the ids. */
  async #readSelected(person: string, ids: readonly string[], skipDamaged: boolean): Promise<HistoryEntry[]> {
    const { history } = this.#keys.person(person);
    const [sequences, entries] = await Promise.all([
      this.#connection.sendAll(ids.map((id): RedisCommand => ["ZSCORE", history, id])),
      this.#readEntries(person, ids, skipDamaged),
    ]);
    const sequenceOf = new Map(ids.map((id, i) => [id, Number(sequences[i])]));
    return withCursors(entries, sequenceOf).sort((x, y) => Number(x.cursor) - Number(y.cursor));
  }

  async #readEntries(
    person: string,
    ids: readonly string[],
    skipDamaged: boolean,
    list: ListName = "history",
  ): Promise<AcceptedEntry[]> {
    return (await this.examine(person, ids, list)).flatMap((entry) => {
      if (!(entry instanceof Error)) return [entry];
      if (skipDamaged) return [];
      throw entry;
    });
  }

  #tryRead(person: string, { id, values, trouble }: FoundRow): AcceptedEntry | DamagedRowError | LostPartError {
    if (trouble !== null) return trouble;
    try {
      return this.#rows.readInteraction(person, id, values);
    } catch (error) {
      toDamage(error);
      return error as DamagedRowError;
    }
  }

  /** An interaction forgotten since it was listed is left out. */
  async #readFields(
    person: string,
    ids: readonly string[],
    fields: readonly string[],
    list: ListName = "history",
  ): Promise<FoundRow[]> {
    const keys = this.#keys.person(person);
    const found: FoundRow[] = [];
    for (let from = 0; from < ids.length; from += interactionsPerPage) {
      const page = ids.slice(from, from + interactionsPerPage);
      const rows = await this.#readRows(page.map((id) => ["HMGET", keys.interaction(id), ...fields]));
      const absent = page.filter((_, i) => rows[i]?.every((value) => value === null) === true);
      const missingIds = new Set(await this.#missingOf(person, absent, list));
      for (const [i, values] of rows.entries()) {
        const id = page[i]!;
        if (values === null) found.push({ id, values: [], trouble: damaged(person, id, "another type") });
        else if (values.some((value) => value !== null)) found.push({ id, values, trouble: null });
        else if (missingIds.has(id)) found.push({ id, values: [], trouble: missing(person, id) });
      }
    }
    return found;
  }

  /** Null for a key that has another type; then each is asked for alone. */
  async #readRows(commands: readonly RedisCommand[]): Promise<((Buffer | null)[] | null)[]> {
    try {
      return (await this.#connection.sendAll(commands)) as (Buffer | null)[][];
    } catch (error) {
      if (!isWrongType(error)) throw error;
      if (commands.length === 1) return [null];
      const alone = await Promise.all(commands.map((command) => this.#readRows([command])));
      return alone.flat();
    }
  }

  /** Those that are still listed. */
  async #missingOf(person: string, ids: readonly string[], list: ListName): Promise<string[]> {
    if (ids.length === 0) return [];
    const keys = this.#keys.person(person);
    const rowKeys = ids.map((id) => keys.interaction(id));
    return toTexts(await this.#connection.run(missingScript, [keys[list], ...rowKeys], ids));
  }
}

function withCursors(entries: readonly AcceptedEntry[], sequences: ReadonlyMap<string, number>): HistoryEntry[] {
  return entries.map((entry) => ({ ...entry, cursor: toCursor(sequences.get(entry.interaction.id)!) }));
}

function missing(person: string, id: string): LostPartError {
  return new LostPartError(person, id, "the interaction is missing");
}

function damaged(person: string, id: string, part: string): DamagedRowError {
  return new DamagedRowError(person, id, `the interaction is damaged (${part})`);
}
