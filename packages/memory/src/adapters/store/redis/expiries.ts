/**
 * What expires, of all persons: entries in buckets that are in other slots than the persons, so that no single step can
 * change both. An interaction is entered before it is written, so that no process can stop in between and leave one that
 * nobody finds, and again afterwards, because a reader may have taken the first entry for a stale one. Stale entries, of
 * interactions that are gone or expire at another time, are removed by the process that finds them; every entry has its
 * own mark, so nobody removes one that came since. More may be entered than expires, never less.
 */
import { randomBytes } from "node:crypto";
import { MnemosyneError, isDamage } from "../../../errors.js";
import type { Batch, ExpiredInteraction, Interaction } from "../../../ports/store.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { DamagedRowError, isWrongType } from "./damage.js";
import type { RedisKeys } from "./keys.js";
import { toTexts } from "./rows.js";
import { enterExpiriesScript } from "./small-scripts.js";

/** How often stale entries may have hidden others. */
const triesMax = 20;
const entriesPerPage = 1_000;

type Expiry = Pick<Interaction, "id" | "expiresMs">;

type ReadExpiry = (person: string, id: string) => Promise<number | null>;

interface Entry extends ExpiredInteraction {
  readonly bucket: string;
  readonly member: string;
  readonly expiresMs: number;
}

/** What has to be done once the person is written, or if nothing was. */
interface PendingExpiries {
  readonly person: string;
  readonly entered: readonly Expiry[];
  /** The first entries of those. */
  readonly first: readonly string[];
  readonly outdated: readonly string[];
}

export class RedisExpiries {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  /** To be called before `entered` are written, and before those in `changed` are written again or removed. */
  async begin(person: string, entered: readonly Expiry[], changed: readonly string[]): Promise<PendingExpiries> {
    const expiring = entered.filter(({ expiresMs }) => expiresMs !== null);
    const outdated = await this.#membersOf(person, changed);
    const first = expiring.map(({ id }) => newMember(person, id));
    await this.#enter(person, expiring, first, []);
    return { person, entered: expiring, first, outdated };
  }

  beginBatch(person: string, batch: Batch): Promise<PendingExpiries> {
    const { acceptEntries = [], replaceInteractions = [], forgetInteractions } = batch;
    const entered = [...acceptEntries.map(({ interaction }) => interaction), ...replaceInteractions];
    const changed = [...replaceInteractions.map(({ id }) => id), ...forgetInteractions];
    return this.begin(person, entered, changed);
  }

  /** The person was written, or nothing was. */
  async settle({ person, entered, first, outdated }: PendingExpiries, isWritten: boolean): Promise<void> {
    if (!isWritten) return this.#enter(person, [], [], first);
    const members = entered.map(({ id }) => newMember(person, id));
    return this.#enter(person, entered, members, [...first, ...outdated]);
  }

  /** All entries of a person; to be read before the person is removed, and removed with `remove` afterwards. */
  async allOf(person: string): Promise<string[]> {
    const { expiries } = this.#keys.bucketOf(person);
    const entries = await this.#read([expiries], ["0", "-1"]);
    return entries.filter((entry) => entry.person === person).map(({ member }) => member);
  }

  async remove(person: string, members: readonly string[]): Promise<void> {
    await this.#enter(person, [], [], members);
  }

  /** `readExpiry` reads a whole interaction, and throws if it is damaged; null if it is gone or does not expire. */
  async expired(nowMs: number, limit: number, readExpiry: ReadExpiry): Promise<ExpiredInteraction[]> {
    const found = new Map<string, Entry>();
    for (let tries = 1; tries <= triesMax; tries++) {
      const due = await this.#due(nowMs, limit);
      const stale: Entry[] = [];
      for (const [i, expiresMs] of (await this.#storedExpiries(due)).entries()) {
        const entry = due[i]!;
        const hasExpired = expiresMs <= nowMs || (await isDue(entry, nowMs, readExpiry));
        if (hasExpired) found.set(JSON.stringify([entry.person, entry.id]), entry);
        else stale.push(entry);
      }
      if (stale.length === 0 || !(await this.#tidy(stale))) break;
    }
    return [...found.values()]
      .sort((x, y) => x.expiresMs - y.expiresMs)
      .slice(0, limit)
      .map(({ person, id }) => ({ person, id }));
  }

  async nextMs(): Promise<number | null> {
    const [first] = (await this.#read(this.#lists, ["0", "0"])).sort((x, y) => x.expiresMs - y.expiresMs);
    return first?.expiresMs ?? null;
  }

  /** Everything that is entered, as `entryName` writes it. */
  async names(): Promise<Set<string>> {
    const entries = await this.#read(this.#lists, ["0", "-1"]);
    return new Set(entries.map(({ person, id, expiresMs }) => entryName(person, id, expiresMs)));
  }

  get #lists(): string[] {
    return this.#keys.buckets.map(({ expiries }) => expiries);
  }

  /** The first of what is entered for times up to now, stale or not. */
  async #due(nowMs: number, limit: number): Promise<Entry[]> {
    const range = ["-inf", String(nowMs), "BYSCORE", "LIMIT", "0", String(limit)];
    const entries = await this.#read(this.#lists, range);
    return entries.sort((x, y) => x.expiresMs - y.expiresMs).slice(0, limit);
  }

  /** When they expire according to themselves; NaN for those that are gone or damaged, or do not expire. */
  async #storedExpiries(entries: readonly ExpiredInteraction[]): Promise<number[]> {
    const stored: number[] = [];
    for (let from = 0; from < entries.length; from += entriesPerPage) {
      const page = entries.slice(from, from + entriesPerPage);
      for (const ms of await Promise.all(page.map((entry) => this.#storedExpiry(entry)))) stored.push(ms);
    }
    return stored;
  }

  async #storedExpiry({ person, id }: ExpiredInteraction): Promise<number> {
    try {
      const value = await this.#connection.send("HGET", this.#keys.person(person).interaction(id), "t_expires");
      return value === null ? NaN : Number(value.toString());
    } catch (error) {
      if (isWrongType(error)) return NaN;
      throw error;
    }
  }

  /** The entries of interactions as they are stored now. */
  async #membersOf(person: string, ids: readonly string[]): Promise<string[]> {
    const times = await this.#storedExpiries(ids.map((id) => ({ person, id })));
    const { expiries } = this.#keys.bucketOf(person);
    const known = new Set(ids);
    const distinct = [...new Set(times.filter((ms) => !Number.isNaN(ms)))].map(String);
    const found = await Promise.all(distinct.map((ms) => this.#read([expiries], [ms, ms, "BYSCORE"])));
    return found
      .flat()
      .filter((entry) => entry.person === person && known.has(entry.id))
      .map(({ member }) => member);
  }

  /** False if it has to wait: a master that takes no writes now must not hold up who reads. */
  async #tidy(entries: readonly Entry[]): Promise<boolean> {
    try {
      for (const { bucket, member } of entries) await this.#connection.send("ZREM", bucket, member);
      return true;
    } catch (error) {
      if (!(error instanceof MnemosyneError)) throw error;
      return false;
    }
  }

  async #enter(
    person: string,
    expiring: readonly Expiry[],
    members: readonly string[],
    removed: readonly string[],
  ): Promise<void> {
    if (members.length + removed.length === 0) return;
    const { expiries } = this.#keys.bucketOf(person);
    const added = members.flatMap((member, i) => [String(expiring[i]!.expiresMs), member]);
    const args = [String(removed.length), ...removed, ...added];
    // Entries must survive the loss of a master as the interactions do.
    await this.#connection.write("list", enterExpiriesScript, [expiries], args);
  }

  async #read(lists: readonly string[], range: readonly string[]): Promise<Entry[]> {
    const replies = await this.#connection.sendAll(
      lists.map((list): RedisCommand => ["ZRANGE", list, ...range, "WITHSCORES"]),
    );
    return replies.flatMap((reply, i) => {
      const texts = toTexts(reply);
      return Array.from({ length: texts.length / 2 }, (_, n) => readEntry(lists[i]!, texts[2 * n]!, texts[2 * n + 1]!));
    });
  }
}

/** What is damaged counts as due: whoever reads it learns what is wrong with it, and its entry stays. */
async function isDue({ person, id }: Entry, nowMs: number, readExpiry: ReadExpiry): Promise<boolean> {
  try {
    const expiresMs = await readExpiry(person, id);
    return expiresMs !== null && expiresMs <= nowMs;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}

export function entryName(person: string, id: string, expiresMs: number): string {
  return JSON.stringify([person, id, expiresMs]);
}

/** With a mark that no other has. */
function newMember(person: string, id: string): string {
  return JSON.stringify([person, id, randomBytes(6).toString("base64url")]);
}

function readEntry(bucket: string, member: string, score: string): Entry {
  try {
    const [person, id] = JSON.parse(member) as unknown[];
    if (typeof person === "string" && typeof id === "string") {
      return { bucket, member, person, id, expiresMs: Number(score) };
    }
  } catch {
    // As below.
  }
  throw new DamagedRowError(null, null, "a list of what expires is damaged");
}
