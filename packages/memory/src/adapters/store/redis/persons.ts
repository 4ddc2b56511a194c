/**
 * Which persons exist, and which have something in the queue: names in buckets that are in other slots than the
 * persons, so that no single step can change both. A person is written first, with a note that the buckets do not list
 * them yet; then they are listed, then the note is settled, and only then is the write acknowledged. A process that
 * stops in between leaves the note to the next write. Stale entries, of persons who are gone or have nothing waiting,
 * are removed by the process that finds them, unless they have been listed again since: every entry carries its own
 * mark.
 */
import { randomInt } from "node:crypto";
import { MnemosyneError } from "../../../errors.js";
import type { PersonSelection } from "../../../ports/store.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import type { RedisBucket, RedisKeys } from "./keys.js";
import { toTexts } from "./rows.js";
import { addEntryScript, confirmListedScript, removeEntryScript, unlistQueueScript } from "./small-scripts.js";

const namesPerPage = 1_000;

interface Entry {
  readonly bucket: RedisBucket;
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

  async all(): Promise<string[]> {
    return this.#known(await this.#entries("persons"));
  }

  async #known(entries: readonly Entry[]): Promise<string[]> {
    const heads = await this.#askAll(entries, ({ name }) => ["EXISTS", this.#keys.person(name).head]);
    const headless = entries.filter((_, i) => heads[i] === 0);
    // A head that was lost does not make a person unknown: whoever reads them learns what is missing.
    const left = await this.#askAll(headless, ({ name }) => ["EXISTS", this.#keys.person(name).history]);
    const gone = new Set(headless.filter((_, i) => left[i] === 0));
    await tidy([...gone], ({ bucket, name, mark }) => this.#removeEntry(bucket.persons, name, mark));
    return entries
      .filter((entry) => !gone.has(entry))
      .map(({ name }) => name)
      .sort();
  }

  async withQueue(): Promise<string[]> {
    const entries = await this.#entries("queues");
    const queues = await this.#askAll(entries, ({ name }) => ["EXISTS", this.#keys.person(name).queue]);
    const idle = entries.filter((_, i) => queues[i] === 0);
    // Of those whose queue was lost, whoever takes it up learns what is missing.
    const lost = new Set<Entry>();
    await tidy(idle, async (entry) => {
      const { bucket, name, mark } = entry;
      const { head, queue } = this.#keys.person(name);
      const { reply } = await this.#connection.write("unlist", unlistQueueScript, [head, queue], []);
      if (reply === 1) await this.#removeEntry(bucket.queues, name, mark);
      else if (reply === 2) lost.add(entry);
    });
    return entries
      .filter((entry, i) => queues[i] !== 0 || lost.has(entry))
      .map(({ name }) => name)
      .sort();
  }

  /** Lists a person if the script found that this is still to be done. */
  async list(person: string, stamp: string, [asPerson, asWaiting]: readonly RedisReply[]): Promise<void> {
    if (asPerson !== 1 && asWaiting !== 1) return;
    const { persons, queues } = this.#keys.bucketOf(person);
    const mark = String(Date.now() * 1_000 + randomInt(1_000));
    const lists = [...(asPerson === 1 ? [persons] : []), ...(asWaiting === 1 ? [queues] : [])];
    // Once the note is settled nobody lists them again, so the lists must survive the loss of a master.
    await this.#connection.write("list", addEntryScript, lists, [person, mark]);
    const { head } = this.#keys.person(person);
    if ((await this.#connection.run(confirmListedScript, [head], [stamp])) === 1) return;
    for (const list of lists) await this.#removeEntry(list, person, mark);
  }

  /** The marks of a person's entries; to be read before the person is removed. */
  async marks(person: string): Promise<(string | null)[]> {
    const { persons, queues } = this.#keys.bucketOf(person);
    const marks = await this.#connection.sendAll([
      ["ZSCORE", persons, person],
      ["ZSCORE", queues, person],
    ]);
    return marks.map((mark) => mark?.toString() ?? null);
  }

  /** Removes the entries of a removed person, unless they came back. */
  async unlist(person: string, [personMark, queueMark]: readonly (string | null | undefined)[]): Promise<void> {
    const { persons, queues } = this.#keys.bucketOf(person);
    if (personMark != null) await this.#removeEntry(persons, person, personMark);
    if (queueMark != null) await this.#removeEntry(queues, person, queueMark);
  }

  async #entries(list: "persons" | "queues"): Promise<Entry[]> {
    const { buckets } = this.#keys;
    const replies = await this.#connection.sendAll(
      buckets.map((bucket): RedisCommand => ["ZRANGE", bucket[list], "0", "-1", "WITHSCORES"]),
    );
    return replies.flatMap((reply, i) => {
      const texts = toTexts(reply);
      return Array.from({ length: texts.length / 2 }, (_, n) => ({
        bucket: buckets[i]!,
        name: texts[2 * n]!,
        mark: texts[2 * n + 1]!,
      }));
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

  async #removeEntry(bucket: string, name: string, mark: string): Promise<void> {
    await this.#connection.run(removeEntryScript, [bucket], [name, mark]);
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
