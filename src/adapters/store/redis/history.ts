/** A person's interactions in Redis: a hash for each, a list in order of acceptance, and a list of the queued ones. */
import type {
  HistoryEntry,
  HistorySelection,
  Interaction,
  Outcome,
  OutcomeCounts,
  StoredTrace,
} from "../../../ports/store.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import type { RedisKeys } from "./keys.js";
import { type RedisRows, interactionFieldNames, toTexts } from "./rows.js";

const interactionsPerPage = 200;

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
    const ids = await this.#connection.send("ZRANGE", this.#keys.person(person).queue, "0", String(countMax - 1));
    const entries = await this.#readEntries(person, toTexts(ids));
    return entries.filter(({ outcome }) => outcome === "queued").map(({ interaction }) => interaction);
  }

  async queuedCount(person: string): Promise<number> {
    return Number(await this.#connection.send("ZCARD", this.#keys.person(person).queue));
  }

  async entries(person: string, { ids, outcomes }: HistorySelection): Promise<HistoryEntry[]> {
    const entries =
      ids === undefined
        ? await this.#readEntries(person, await this.#ids(person, outcomes))
        : await this.#readSelected(person, [...new Set(ids)]);
    return outcomes === undefined ? entries : entries.filter(({ outcome }) => outcomes.includes(outcome));
  }

  async outcomeCounts(person: string): Promise<OutcomeCounts> {
    const counts: Partial<Record<Outcome, number>> = {};
    for (const { values } of await this.#readFields(person, await this.#ids(person), ["outcome"])) {
      const outcome = toOutcome(values[0]);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  async traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    const rows = await this.#readFields(person, await this.#ids(person, outcomes), ["outcome", "trace"]);
    return rows
      .filter(({ values }) => outcomes.includes(toOutcome(values[0])))
      .map(({ id, values }) => ({ id, trace: this.#rows.readTrace(person, id, values[1] ?? null) }));
  }

  /** Any outcome other than queued requires going through all of them. */
  async #ids(person: string, outcomes?: HistorySelection["outcomes"]): Promise<string[]> {
    const { queue, history } = this.#keys.person(person);
    const isQueue = outcomes?.every((outcome) => outcome === "queued") === true;
    return toTexts(await this.#connection.send("ZRANGE", isQueue ? queue : history, "0", "-1"));
  }

  /** Entries in order of acceptance, whatever the order of the ids. */
  async #readSelected(person: string, ids: readonly string[]): Promise<HistoryEntry[]> {
    const { history } = this.#keys.person(person);
    const [sequences, entries] = await Promise.all([
      this.#connection.sendAll(ids.map((id): RedisCommand => ["ZSCORE", history, id])),
      this.#readEntries(person, ids),
    ]);
    const sequenceOf = new Map(ids.map((id, i) => [id, Number(sequences[i])]));
    return entries.sort((x, y) => sequenceOf.get(x.interaction.id)! - sequenceOf.get(y.interaction.id)!);
  }

  async #readEntries(person: string, ids: readonly string[]): Promise<HistoryEntry[]> {
    const rows = await this.#readFields(person, ids, interactionFieldNames);
    return rows.map(({ id, values }) => this.#rows.readInteraction(person, id, values));
  }

  /** The first field is one that every interaction has; an interaction forgotten since it was listed is left out. */
  async #readFields(
    person: string,
    ids: readonly string[],
    fields: readonly string[],
  ): Promise<{ id: string; values: (Buffer | null)[] }[]> {
    const keys = this.#keys.person(person);
    const found: { id: string; values: (Buffer | null)[] }[] = [];
    for (let from = 0; from < ids.length; from += interactionsPerPage) {
      const page = ids.slice(from, from + interactionsPerPage);
      const rows = await this.#connection.sendAll(
        page.map((id): RedisCommand => ["HMGET", keys.interaction(id), ...fields]),
      );
      for (const [i, row] of rows.entries()) {
        const values = row as (Buffer | null)[];
        if (values[0] !== null) found.push({ id: page[i]!, values });
      }
    }
    return found;
  }
}

function toOutcome(value: Buffer | null | undefined): Outcome {
  return value!.toString() as Outcome;
}
