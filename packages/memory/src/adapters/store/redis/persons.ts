/**
 * Which persons exist, which have something in the queue, and of which something expires: names in buckets that are in
 * other slots than the persons, so that no single step can change both. A person is written first, with a note that the
 * buckets do not list them yet; then they are listed, then the note is settled, and only then is the write acknowledged.
 * A process that stops in between leaves the note to the next write. Stale entries, of persons who are gone or whose own
 * list is empty, are removed by the process that finds them, unless they have been listed again since: every entry
 * carries its own mark.
 */
import { randomInt } from "node:crypto";
import { MnemosyneError } from "../../../errors.js";
import type { PersonSelection } from "../../../ports/store.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { listNames } from "./counts.js";
import type { RedisBucket, RedisKeys } from "./keys.js";
import { toTexts } from "./rows.js";
import { addEntryScript, confirmListedScript, removeEntryScript, unlistScript } from "./small-scripts.js";

const namesPerPage = 1_000;

/** In the order in which the scripts say which are still to be entered. */
const bucketLists = ["persons", "queue", "expiries"] as const satisfies readonly (keyof RedisBucket)[];

interface Entry {
  readonly list: string;
  readonly name: string;
  readonly mark: string;
}

export class RedisPersons {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  /** In order; at most `limit` of those after a name. */
  async some({ after, limit = Infinity }: PersonSelection): Promise<string[]> {
    const entries = (await this.#entries("persons"))
      .filter(({ name }) => after === undefined || name > after)
      .sort((x, y) => (x.name < y.name ? -1 : 1));
    const found: string[] = [];
    for (let from = 0; from < entries.length && found.length < limit; from += namesPerPage) {
      for (const name of await this.#known(entries.slice(from, from + namesPerPage))) found.push(name);
    }
    return found.slice(0, limit);
  }

  async #known(entries: readonly Entry[]): Promise<string[]> {
    const heads = await this.#askAll(entries, ({ name }) => ["EXISTS", this.#keys.person(name).head]);
    const headless = entries.filter((_, i) => heads[i] === 0);
    // A head that was lost does not make a person unknown: whoever reads them learns what is missing.
    const left = await this.#askAll(headless, ({ name }) => ["EXISTS", this.#keys.person(name).history]);
    const gone = new Set(headless.filter((_, i) => left[i] === 0));
    await tidy([...gone], (entry) => this.#remove(entry));
    return entries.filter((entry) => !gone.has(entry)).map(({ name }) => name);
  }

  /** Persons whose queue, or list of what expires, is not empty, sorted; and those of whom it was lost. */
  async having(list: "queue" | "expiries"): Promise<string[]> {
    const entries = await this.#entries(list);
    const lists = await this.#askAll(entries, ({ name }) => ["EXISTS", this.#keys.person(name)[list]]);
    const idle = entries.filter((_, i) => lists[i] === 0);
    // Whoever takes up a list that was lost learns what is missing.
    const lost = new Set<Entry>();
    const args = [`listed_${list}`, String(listNames.indexOf(list) + 1)];
    await tidy(idle, async (entry) => {
      const keys = this.#keys.person(entry.name);
      const { reply } = await this.#connection.write("unlist", unlistScript, [keys.head, keys[list]], args);
      if (reply === 1) await this.#remove(entry);
      else if (reply === 2) lost.add(entry);
    });
    return entries
      .filter((entry, i) => lists[i] !== 0 || lost.has(entry))
      .map(({ name }) => name)
      .sort();
  }

  /** Lists a person where the script found that this is still to be done. */
  async list(person: string, stamp: string, toDo: readonly RedisReply[]): Promise<void> {
    const bucket = this.#keys.bucketOf(person);
    const lists = bucketLists.filter((_, i) => toDo[i] === 1).map((list) => bucket[list]);
    if (lists.length === 0) return;
    const mark = String(Date.now() * 1_000 + randomInt(1_000));
    // Once the note is settled nobody lists them again, so the lists must survive the loss of a master.
    await this.#connection.write("list", addEntryScript, lists, [person, mark]);
    const { head } = this.#keys.person(person);
    if ((await this.#connection.run(confirmListedScript, [head], [stamp])) === 1) return;
    for (const list of lists) await this.#remove({ list, name: person, mark });
  }

  /** A person's entries; to be read before the person is removed. */
  async entriesOf(person: string): Promise<Entry[]> {
    const bucket = this.#keys.bucketOf(person);
    const lists = bucketLists.map((list) => bucket[list]);
    const marks = await this.#connection.sendAll(lists.map((list): RedisCommand => ["ZSCORE", list, person]));
    return lists.flatMap((list, i) => (marks[i] === null ? [] : [{ list, name: person, mark: String(marks[i]) }]));
  }

  /** Removes the entries of a removed person, unless they came back. */
  async unlist(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) await this.#remove(entry);
  }

  async #entries(name: keyof RedisBucket): Promise<Entry[]> {
    const lists = this.#keys.buckets.map((bucket) => bucket[name]);
    const replies = await this.#connection.sendAll(
      lists.map((list): RedisCommand => ["ZRANGE", list, "0", "-1", "WITHSCORES"]),
    );
    return replies.flatMap((reply, i) => {
      const texts = toTexts(reply);
      const entryAt = (n: number): Entry => ({ list: lists[i]!, name: texts[2 * n]!, mark: texts[2 * n + 1]! });
      return Array.from({ length: texts.length / 2 }, (_, n) => entryAt(n));
    });
  }

  async #askAll(entries: readonly Entry[], ask: (entry: Entry) => RedisCommand): Promise<RedisReply[]> {
    const replies: RedisReply[] = [];
    for (let from = 0; from < entries.length; from += namesPerPage) {
      const page = await this.#connection.sendAll(entries.slice(from, from + namesPerPage).map(ask));
      for (const reply of page) replies.push(reply);
    }
    return replies;
  }

  async #remove({ list, name, mark }: Entry): Promise<void> {
    await this.#connection.run(removeEntryScript, [list], [name, mark]);
  }
}

/** Cleaning up can wait for the next reader: a master that takes no writes now must not hold up this one. */
async function tidy(entries: readonly Entry[], remove: (entry: Entry) => Promise<void>): Promise<void> {
  try {
    for (const entry of entries) await remove(entry);
  } catch (error) {
    if (!(error instanceof MnemosyneError)) throw error;
  }
}
