/**
 * A store in Redis or a Redis Cluster, for many persons and several processes; docs/redis.md describes it. scripts.ts has
 * the atomic steps. The person's name lies in three lists of persons (all, and with something on a due list), in buckets
 * apart from the data: it is entered before the write that makes it true, and removed when that is seen to be over.
 */
import { createHash, randomInt } from "node:crypto";
import { type ErrorCode, StaleRevisionError, StoreError } from "../../errors.js";
import { addMarks } from "../marks.js";
import type * as port from "../store.js";
import { dueLists } from "../store.js";
import { RedisConnection, type Reply } from "./connection.js";
import { type RedisOptions, type RedisTarget, parseRedisOptions } from "./options.js";
import { type Member, type Rows, decode, fieldOf, membersOf, openRow, packPut, toPlace } from "./rows.js";
import * as scripts from "./scripts.js";

export { type RedisOptions, type RedisTlsOptions, isRedisUrl } from "./options.js";

const format = "1";
const bucketCount = 256;
const rowsPerPage = 500;
/** An entry without a person may be that of a write under way, unless it is older than any write can be. */
const entryMs = 3_600_000;
const triesMax = 5;

type List = "persons" | port.DueList;
type Pages = AsyncGenerator<port.RecordPage>;

/** A name in a bucket; the mark, a time in microseconds, tells it from a later one. */
interface Entry {
  readonly person: string;
  readonly mark: string;
}

/** What the read script answers. */
interface Look {
  readonly revision: number;
  readonly sequence: number;
  readonly deleted: number;
  readonly sum: number;
  readonly isShort: boolean;
  readonly isWhole: boolean;
  readonly members: readonly string[];
  readonly rows: Rows | null;
}

export class RedisStore implements port.Store {
  readonly kind = "redis";
  readonly isChecking = true;
  readonly #connection: RedisConnection;
  readonly #target: RedisTarget;

  static async open(options: RedisOptions): Promise<RedisStore> {
    const target = parseRedisOptions(options);
    return new RedisStore(await RedisConnection.open(target, (connection) => greet(connection, target)), target);
  }

  private constructor(connection: RedisConnection, target: RedisTarget) {
    this.#connection = connection;
    this.#target = target;
  }

  /** The bytes of everything in that Redis, including the data of other programs. */
  async describe(): Promise<port.StoreDescription> {
    const servers = await this.#connection.everywhere("describe", async (send, address) => {
      const info = parseInfo(await send(["INFO"]));
      // Hosted services often do not show their configuration.
      const shown = (await send(["CONFIG", "GET", "appendfsync"]).catch(() => [])) as Reply[];
      const isLazy = shown.length > 0 && String(shown[1]) !== "always";
      const lazy = `${address} has "appendfsync ${String(shown[1])}": it can lose its last second; set it to always`;
      const off = `${address} has "appendonly no": a crash loses everything since its last snapshot; set it to yes`;
      const warnings = info["aof_enabled"] === "0" ? [off] : isLazy ? [lazy] : [];
      return { byteCount: Number(info["used_memory"]), warnings };
    });
    const byteCount = servers.reduce((sum, server) => sum + server.byteCount, 0);
    const warnings = servers.flatMap((server) => server.warnings);
    return { kind: this.kind, location: this.#target.location, byteCount, warnings };
  }

  async read(person: string, selection: port.ReadSelection = {}): Promise<port.RecordSnapshot> {
    const first = await this.#look(person, selection);
    const now = { revision: first.revision };
    const pages = this.#pages(person, selection, first, now);
    return {
      isWhole: first.isWhole,
      pages,
      get revision() {
        return now.revision;
      },
    };
  }

  async write(person: string, baseRevision: number, change: port.RecordChange): Promise<number>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null>;
  async write(person: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null> {
    const { put = [], delete: gone = [] } = change;
    const args = [String(baseRevision ?? ""), String(randomInt(1, 1_000)), String(gone.length), ...gone.map(fieldOf)];
    const all = [...args, ...put.flatMap(packPut)];
    const entered: List[] = [];
    for (;;) {
      // The lists do not name "".
      const known = person === "" ? "persons queue expiry" : entered.join(" ");
      const reply = await this.#connection.write("write", scripts.writeScript, this.#keys(person), [known, ...all]);
      const [answer, ...rest] = (reply as Reply[]).map(String);
      if (answer === "unlisted") entered.push(...(rest as List[]));
      // Again after the write, in case somebody took the person for gone in between.
      if (entered.length > 0) await this.#enter(person, entered, gone.length > 0);
      if (answer === "gone") await this.#leave(person);
      if (answer === "done" || answer === "gone") return Number(rest[0]);
      if (answer === "taken" && baseRevision === null) return null;
      if (answer === "taken" || answer === "stale")
        throw new StaleRevisionError(person, baseRevision!, Number(rest[0]));
      if (answer === "unlisted") continue;
      const what =
        answer === "headless" ? "its head is missing" : `the record ${rest[0]!.replace("\0", " ")} is damaged`;
      const advice = "erase the person and restore it from an export";
      throw new StoreError("store_corrupt", `write ${this.#target.location}: "${person}": ${what}; ${advice}`);
    }
  }

  async persons({ after = "", limit = Infinity }: port.PersonSelection = {}): Promise<string[]> {
    const entries = (await this.#entries("persons")).filter(({ person }) => byBytes(person, after) > 0);
    entries.sort((x, y) => byBytes(x.person, y.person));
    const found: string[] = [];
    for (let from = 0; from < entries.length && found.length < limit; from += rowsPerPage) {
      const page = entries.slice(from, from + rowsPerPage);
      const isThere = await Promise.all(page.map((entry) => this.#isThere(entry.person)));
      for (const [i, entry] of page.entries()) {
        if (isThere[i] === true) found.push(entry.person);
        else if (isOld(entry)) await this.#tidy("persons", entry);
      }
    }
    return found.slice(0, limit);
  }

  async due(list: port.DueList, { before, limit, person }: port.DueSelection): Promise<port.DuePerson[]> {
    const entries = person === undefined ? await this.#entries(list) : [{ person, mark: "Infinity" }];
    const found: port.DuePerson[] = [];
    const ask = async (entry: Entry): Promise<void> => {
      const args = [list, String(before), isOld(entry) ? "1" : ""];
      const reply = await this.#connection.run(
        "due",
        scripts.dueScript,
        this.#keys(entry.person, ["head", list]),
        args,
      );
      const [count, at, isIdle] = (reply as Reply[]).map(Number) as [number, number, number];
      if (count > 0) found.push({ person: entry.person, at, count });
      if (isIdle === 1) await this.#tidy(list, entry);
    };
    for (let from = 0; from < entries.length; from += rowsPerPage)
      await Promise.all(entries.slice(from, from + rowsPerPage).map(ask));
    return found.sort((x, y) => x.at - y.at).slice(0, limit);
  }

  async lease(person: string, owner: string, ms: number): Promise<boolean> {
    const keys = this.#keys(person, ["lease"]);
    return (await this.#connection.run("lease", scripts.leaseScript, keys, [owner, String(ms)])) === 1;
  }

  /** A person whom no list names any more is listed again. */
  async damage(): Promise<port.StoreDamage[]> {
    const start = `${this.#target.prefix}{`;
    const pattern = `${start.replaceAll(/[*?[\]\\]/gu, String.raw`\$&`)}*:head`;
    const keys = await this.#connection.everywhere("damage", async (send) => {
      const found: string[] = [];
      for (let cursor = ""; cursor !== "0";) {
        const [next, page] = (await send(["SCAN", cursor || "0", "MATCH", pattern, "COUNT", "1000"])) as [
          Buffer,
          Buffer[],
        ];
        cursor = String(next);
        for (const key of page) found.push(String(key));
      }
      return found;
    });
    const names = keys.flat().map((key) => key.slice(start.length, -"}:head".length));
    const listed = new Set(["", ...(await this.persons())]);
    const damage: port.StoreDamage[] = [];
    for (const person of new Set([...listed, ...names.map((name) => decode(name.replace(/^%$/u, "")))])) {
      damage.push(...(await this.#damageOf(person)));
      if (listed.has(person)) continue;
      await this.#enter(person, ["persons", ...dueLists], false);
      damage.push({ person, kind: null, id: null, part: "the person was missing in the list of persons" });
    }
    return damage;
  }

  async #damageOf(person: string): Promise<port.StoreDamage[]> {
    for (let tries = 1; ; tries++) {
      const damage: port.StoreDamage[] = [];
      try {
        for await (const page of (await this.read(person)).pages) damage.push(...page.damage);
        return damage;
      } catch (error) {
        if (!(error instanceof StaleRevisionError) || tries === triesMax) throw error;
      }
    }
  }

  async erase(person: string): Promise<number> {
    const keys = this.#keys(person);
    // If the answer is lost, the repetition finds nobody.
    const before = Number(await this.#connection.command("erase", keys[1]!, "HLEN", keys[1]!).catch(() => 0));
    const count = Number(await this.#connection.write("erase", scripts.eraseScript, keys, []));
    await this.#leave(person);
    return count || before;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #look(person: string, selection: port.ReadSelection, later = ""): Promise<Look> {
    const { since, kinds, ids, due, newestFirst = false, after, limit } = selection;
    const list = due && scripts.personKeys.indexOf(due) + 1;
    const place = after === undefined ? "" : toPlace(after);
    const most = later === "" ? rowsPerPage : Infinity;
    const args = [since, later, list, newestFirst ? 1 : 0, place, ids === undefined ? limit : "", most];
    // Ids of any kind are looked for among all.
    const fields = later === "" ? ids && kinds?.flatMap((kind) => ids.map((id) => fieldOf({ kind, id }))) : undefined;
    const names = fields ? ["row", ...new Set(fields)] : ["kind", ...new Set(kinds?.map(encodeURIComponent))];
    const sent = [...args.map((value) => String(value ?? "")), ...names];
    const reply = await this.#connection.run("read", scripts.readScript, this.#keys(person), sent);
    const [numbers, isShort, isWhole, members, rows] = reply as [
      Buffer[],
      number,
      number,
      Buffer[],
      (Buffer | null)[] | null,
    ];
    const [revision, sequence, deleted, sum] = numbers.map(Number) as [number, number, number, number];
    const head = { revision, sequence, deleted, sum, isShort: isShort === 1, isWhole: isWhole === 1 };
    return { ...head, members: members.map(String), rows };
  }

  /** In one step if it is little; otherwise page by page, and at the end, in one step, everything that was put meanwhile. */
  async *#pages(person: string, selection: port.ReadSelection, first: Look, now: { revision: number }): Pages {
    const { limit = Infinity, since = 0, due, ...rest } = selection;
    const { newestFirst = false, kinds, ids, after } = rest;
    const isAll =
      first.isWhole && [kinds, ids, due, after, selection.limit].every((condition) => condition === undefined);
    const rowsKey = this.#keys(person)[1]!;
    let sum = 0;
    let count = 0;
    // Only missing if it was not removed meanwhile.
    const late: port.StoreDamage[] = [];
    const open = (members: readonly Member[], isLast: boolean): port.RecordPage => {
      const page: { records: port.StoredRecord[]; damage: port.StoreDamage[] } = { records: [], damage: [] };
      for (const { kind, id, place, row } of members) {
        const { record, mark } = openRow({ kind, id, place }, row);
        sum = addMarks(sum, mark);
        if (row === null) late.push({ person, kind, id, part: "the record is missing" });
        else if (record === null) page.damage.push({ person, kind, id, part: "the record is damaged" });
        else if (!isLast && record.version > first.sequence) continue;
        else if (
          (first.isWhole || record.version > since) &&
          (!due || record.due?.[due] !== undefined) &&
          count++ < limit
        )
          page.records.push(record);
      }
      return page;
    };
    const members = membersOf(first.members, first.rows, selection).sort((x, y) =>
      newestFirst ? y.place - x.place : x.place - y.place,
    );
    for (let from = 0; from < members.length; from += rowsPerPage) {
      const page = members.slice(from, from + rowsPerPage);
      const ask = async () =>
        (await this.#connection.command("read", rowsKey, "HMGET", rowsKey, ...page.map(fieldOf))) as Rows;
      const rows = first.rows === null ? await ask() : page.map(({ row }) => row);
      yield open(
        page.map((member, i) => ({ ...member, row: rows[i]! })),
        false,
      );
    }
    const last = first.rows === null ? await this.#look(person, rest, String(first.sequence)) : first;
    if (last.deleted !== first.deleted || ((due ?? selection.limit) !== undefined && last.sequence !== first.sequence))
      throw new StaleRevisionError(person, first.revision, last.revision);
    now.revision = last.revision;
    if (last !== first) yield open(membersOf(last.members, last.rows, selection), true);
    if (last.isShort || (isAll && last.sequence === first.sequence && sum !== last.sum))
      late.push({ person, kind: null, id: null, part: "the list of records is incomplete" });
    if (late.length > 0) yield { records: [], damage: late };
  }

  async #isThere(person: string): Promise<boolean> {
    const [head, rows] = this.#keys(person) as [string, string];
    return (await this.#connection.command("persons", head, "EXISTS", head, rows)) !== 0;
  }

  async #entries(list: List): Promise<Entry[]> {
    const buckets = Array.from({ length: bucketCount }, (_, i) => this.#bucket(list, i));
    const ask = (key: string): Promise<Reply> =>
      this.#connection.command("persons", key, "ZRANGE", key, "0", "-1", "WITHSCORES");
    const replies = (await Promise.all(buckets.map(ask))) as Buffer[][];
    return replies.flatMap((reply) =>
      reply.flatMap((name, i) => (i % 2 === 0 ? [{ person: String(name), mark: String(reply[i + 1]) }] : [])),
    );
  }

  async #enter(person: string, lists: readonly List[], isDeleting: boolean): Promise<void> {
    const mark = String(Date.now() * 1_000 + randomInt(1_000));
    const keys = lists.map((list) => this.#bucket(list, bucketOf(person)));
    await this.#connection.write("write", scripts.enterScript, keys, [person, mark, isDeleting ? "1" : ""]);
  }

  /** Takes a person who is gone off all lists, and the lease of a process that may have died. */
  async #leave(person: string): Promise<void> {
    const [lease] = this.#keys(person, ["lease"]) as [string];
    await this.#connection.command("erase", lease, "DEL", lease);
    for (const list of ["persons", ...dueLists] as const) {
      const key = this.#bucket(list, bucketOf(person));
      const mark = await this.#connection.command("erase", key, "ZSCORE", key, person);
      if (mark !== null && !(await this.#isThere(person))) await this.#remove(list, { person, mark: String(mark) });
    }
  }

  async #remove(list: List, { person, mark }: Entry): Promise<void> {
    await this.#connection.write("erase", scripts.leaveScript, [this.#bucket(list, bucketOf(person))], [person, mark]);
  }

  /** Can wait for the next reader: a Redis that takes no writes now must not hold up this one. */
  #tidy(list: List, entry: Entry): Promise<void> {
    return this.#remove(list, entry).catch(() => {});
  }

  #bucket(list: List, index: number): string {
    return `${this.#target.prefix}${list}:{${index.toString(16).padStart(2, "0")}}`;
  }

  #headOf(person: string): string {
    return `${this.#target.prefix}{${person === "" ? "%" : encodeURIComponent(person)}}`;
  }

  #keys(person: string, names: readonly string[] = scripts.personKeys): string[] {
    return names.map((name) => `${this.#headOf(person)}:${name}`);
  }
}

async function greet(connection: RedisConnection, { isCluster, location, prefix }: RedisTarget): Promise<void> {
  const refuse = (code: ErrorCode, message: string): never => {
    throw new StoreError(code, `open ${location}: ${message}`);
  };
  await connection.everywhere("open", async (send) => {
    const info = parseInfo(await send(["INFO"]));
    if (!isCluster && info["redis_mode"] === "cluster")
      refuse("store_failed", "this is a node of a Redis Cluster; use redis+cluster:// instead of redis://");
    if (!(Number.parseInt(info["redis_version"] ?? "", 10) >= 7))
      refuse("store_not_ours", "this is not a Redis 7 or newer");
    const policy = info["maxmemory_policy"] ?? "";
    if (info["maxmemory"] !== "0" && policy.startsWith("allkeys-"))
      refuse(
        "store_failed",
        `its maxmemory-policy ${policy} removes records when memory runs out; set it to noeviction`,
      );
  });
  const key = `${prefix}format:{00}`;
  const ask = async (): Promise<string> => String((await connection.command("open", key, "GET", key)) ?? "");
  let found = await ask();
  if (found === "") {
    await connection.command("open", key, "SET", key, format, "NX");
    found = await ask();
  }
  if (found === format) return;
  if (!/^\d+$/u.test(found)) refuse("store_not_ours", "another program uses these keys; choose another prefix");
  refuse("store_format", `it has format ${found}, but this release reads and writes format ${format} only`);
}

function parseInfo(reply: Reply): Record<string, string> {
  const lines = String(reply).split("\r\n");
  return Object.fromEntries(lines.map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1)]));
}

function bucketOf(person: string): number {
  return createHash("sha256").update(person).digest()[0]! % bucketCount;
}

function isOld({ mark }: Entry): boolean {
  return Number(mark) < (Date.now() - entryMs) * 1_000;
}

function byBytes(x: string, y: string): number {
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}
