/** What can go wrong with a Redis: clear errors, nothing acknowledged lost, nothing done twice, and work goes on afterwards. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isNearlyRedisUrl } from "../../src/stores/redis/options.js";
import { type RedisOptions, RedisStore, isRedisUrl } from "../../src/stores/redis/store.js";
import type { ReadSelection, RecordPut, StoreDamage, StoredRecord } from "../../src/stores/store.js";
import { DroppingProxy } from "./dropping-proxy.mjs";
import { RedisCluster, RedisServer, eventually, hasRedis } from "./redis-server.mjs";

async function open(options: RedisOptions): Promise<RedisStore> {
  const store = await RedisStore.open(options);
  onTestFinished(() => store.close());
  return store;
}

async function startServer(settings: Record<string, string> = {}): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.stop());
  return server;
}

const append = (id: string, text = id): RecordPut => ({ kind: "note", id, bytes: Buffer.from(text), was: 0 });
const queued = (id: string): RecordPut => ({ ...append(id), due: { queue: 7 } });

async function readAll(store: RedisStore, person = "ada", selection: ReadSelection = {}) {
  const records: StoredRecord[] = [];
  const damage: StoreDamage[] = [];
  const snapshot = await store.read(person, selection);
  for await (const page of snapshot.pages) {
    records.push(...page.records);
    damage.push(...page.damage);
  }
  return { revision: snapshot.revision, records, damage };
}

const idsOf = async (store: RedisStore, person = "ada"): Promise<string[]> =>
  (await readAll(store, person)).records.map(({ id }) => id);

describe("an address", () => {
  test.each([
    ["redis://a:1,b:2", /redis\+cluster/u],
    ["redis://localhost:99999", /port/u],
    ["redis://localhost/x", /redis:\/\/host:port/u],
    ["redis+cluster://localhost:1/3", /database 0/u],
    ["redis://localhost?waitReplicas=many", /waitReplicas/u],
    ["redis://localhost?prefix=%7Bx%7D", /braces/u],
    ["redis://localhost?waitreplicas=1", /"waitreplicas" in the address is unknown.*waitReplicas/u],
    ["redis://user:%zz@localhost", /malformed/u],
    ["http://localhost", /redis:\/\/host:port/u],
  ])("%s means nothing", async (url, message) => {
    const refused = RedisStore.open({ url });
    await expect(refused).rejects.toMatchObject({ code: "option_invalid", family: "input" });
    await expect(refused).rejects.toThrow(message);
  });

  test("is told from a file", () => {
    const addresses = ["redis://a", "rediss+cluster://a:1,b", "REDIS://a:1/2?prefix=x"];
    const mistyped = ["redis:/localhost:6379", "rediss:localhost", "127.0.0.1:6379", "redis.example:7000"];
    const files = ["memory.db", "/tmp/redis.db", "./redis/memory"];
    expect([...addresses, ...mistyped, ...files].filter(isRedisUrl)).toEqual(addresses);
    expect([...addresses, ...mistyped, ...files].filter(isNearlyRedisUrl)).toEqual(mistyped);
  });

  test("at which nothing answers", async () => {
    const gone = RedisStore.open({ url: "redis://user:secret@127.0.0.1:1" });
    await expect(gone).rejects.toMatchObject({ code: "store_failed", family: "store" });
    await expect(gone).rejects.toThrow(/127\.0\.0\.1:1.*cannot be reached/u);
    await expect(gone).rejects.not.toThrow(/secret/u);
    const cluster = RedisStore.open({ url: "redis+cluster://127.0.0.1:1,127.0.0.1:2" });
    await expect(cluster).rejects.toMatchObject({ code: "store_failed" });
  });

  test("of something else", async () => {
    const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    onTestFinished(() => void web.close());
    const url = `redis://127.0.0.1:${(web.address() as AddressInfo).port}`;
    await expect(RedisStore.open({ url })).rejects.toMatchObject({ code: "store_not_ours" });
  });
});

describe.runIf(hasRedis)("one Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  test("is not a cluster, and a cluster is not one Redis", async () => {
    const url = `redis+cluster://127.0.0.1:${server.port}`;
    await expect(RedisStore.open({ url })).rejects.toThrow(/not a Redis Cluster; use redis:\/\//u);
    const node = await startServer({ "cluster-enabled": "yes" });
    await expect(RedisStore.open({ url: node.url })).rejects.toThrow(/use redis\+cluster:\/\//u);
  });

  test("has keys of another program, or of a newer release", async () => {
    await server.command("SET", "taken:format:{00}", "mine");
    await server.command("HSET", "other:format:{00}", "colour", "blue");
    await server.command("SET", "newer:format:{00}", "99");
    for (const [prefix, code] of [
      ["taken:", "store_not_ours"],
      ["other:", "store_not_ours"],
      ["newer:", "store_format"],
    ])
      await expect(RedisStore.open({ url: server.url, prefix: prefix! })).rejects.toMatchObject({ code });
  });

  test("asks for a password", async () => {
    const guarded = await startServer({ requirepass: "open sesame" });
    for (const [url, message] of [
      [guarded.url, /requires a password/u],
      [guarded.url.replace("//", "//:wrong@"), /rejects the user name and password/u],
    ] as const) {
      const refused = RedisStore.open({ url });
      await expect(refused).rejects.toMatchObject({ code: "store_failed" });
      await expect(refused).rejects.toThrow(message);
    }
    const store = await open({ url: guarded.url.replace("//", "//:open%20sesame@") });
    expect(await store.write("ada", null, { put: [append("a")] })).toBeGreaterThan(0);
  });

  test("has a user with few rights", async () => {
    const guarded = await startServer();
    const commands = `hello auth select info config|get cluster|slots wait time eval evalsha get set exists del unlink
      scan hlen hget hmget hgetall hset hdel zadd zcard zcount zrange zrem zscore lpos llen rpush lrem ltrim`;
    const allowed = commands.split(/\s+/u).map((name) => `+${name}`);
    await guarded.command(
      "ACL",
      "SETUSER",
      "memory",
      "on",
      ">secret",
      "~mnemosyne:*",
      "resetchannels",
      "-@all",
      ...allowed,
    );
    const store = await open({ url: guarded.url.replace("//", "//memory:secret@") });
    const base = (await store.write("ada", null, { put: [queued("a"), append("b")] }))!;
    await store.write("ada", base, { put: [queued("c")], delete: [{ kind: "note", id: "a" }] });
    expect((await readAll(store, "ada", { newestFirst: true, limit: 1 })).records.map(({ id }) => id)).toEqual(["c"]);
    expect((await store.read("ada", { since: base })).isWhole).toBe(true);
    expect(await store.due("queue", { before: 9, limit: 9 })).toHaveLength(1);
    expect(await store.lease("ada", "me", 1_000)).toBe(true);
    expect(await store.lease("ada", "me", 0)).toBe(true);
    expect((await store.describe()).warnings).toEqual([]);
    expect(await store.damage()).toEqual([]);
    expect(await store.erase("ada")).toBe(2);
    expect(await store.persons()).toEqual([]);
    await guarded.command("ACL", "SETUSER", "memory", "-hset");
    await expect(store.write("ada", null, { put: [append("a")] })).rejects.toMatchObject({ code: "store_read_only" });
  });

  test("would evict keys", async () => {
    const evicting = await startServer({ maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
    await expect(RedisStore.open({ url: evicting.url })).rejects.toThrow(/allkeys-lru.*noeviction/u);
  });

  test("says what is not safe", async () => {
    expect((await (await open({ url: server.url, prefix: "safe:" })).describe()).warnings).toEqual([]);
    const lazy = await open({ url: (await startServer({ appendfsync: "everysec" })).url });
    expect((await lazy.describe()).warnings).toEqual([expect.stringMatching(/appendfsync everysec/u)]);
    const off = await open({ url: (await startServer({ appendonly: "no" })).url });
    expect((await off.describe()).warnings).toEqual([expect.stringMatching(/appendonly no/u)]);
  });

  test("is a replica", async () => {
    const prefix = "replica:";
    await (await open({ url: server.url, prefix })).write("ada", null, { put: [append("a")] });
    const replica = await startServer({ replicaof: `127.0.0.1 ${server.port}` });
    await eventually("replica", async () => (await replica.command("EXISTS", `${prefix}{ada}:head`)) === 1);
    const store = await open({ url: replica.url, prefix });
    await expect(store.write("ada", null, { put: [append("b")] })).rejects.toMatchObject({ code: "store_read_only" });
    expect(await idsOf(store)).toEqual(["a"]);
  });

  test("is full: a write is refused whole, reading works, and so does forgetting", async () => {
    const full = await startServer();
    const store = await open({ url: full.url });
    const base = (await store.write("ada", null, { put: [queued("a"), queued("b"), queued("c")] }))!;
    const contents = async (): Promise<unknown[]> => {
      const keys = ((await full.command("KEYS", "*")) as string[]).sort();
      return Promise.all(keys.map(async (key) => [key, String(await full.command("DUMP", key))]));
    };
    const before = await contents();
    await full.command("CONFIG", "SET", "maxmemory", "1");
    for (const [person, revision] of [
      ["ada", null],
      ["ada", base],
      ["bea", null],
      ["bea", 0],
    ] as const) {
      const refused = store.write(person, revision as null, { put: [append("d")] });
      await expect(refused).rejects.toMatchObject({ code: "store_full" });
      await expect(refused).rejects.toThrow(/maxmemory/u);
    }
    expect(await contents()).toEqual(before);
    expect(await store.lease("ada", "me", 1_000)).toBe(true);
    expect(await idsOf(await open({ url: full.url }))).toEqual(["a", "b", "c"]);
    const changed = { put: [{ ...queued("b"), was: base - 1 }], delete: [{ kind: "note", id: "a" }] };
    expect(await store.write("ada", base, changed)).toBeGreaterThan(base);
    const expiring = { ...append("c"), was: base, due: { expiry: 5 } };
    const next = (await readAll(store)).revision;
    await store.write("ada", next, { put: [expiring], delete: [{ kind: "note", id: "b" }] });
    expect(await idsOf(store)).toEqual(["c"]);
    expect(await store.due("expiry", { before: 9, limit: 9 })).toEqual([{ person: "ada", at: 5, count: 1 }]);
    expect(await store.erase("ada")).toBe(1);
    expect(await store.persons()).toEqual([]);
    expect(await full.command("KEYS", "*")).toEqual(["mnemosyne:format:{00}"]);
    await full.command("CONFIG", "SET", "maxmemory", "0");
    expect(await store.write("ada", null, { put: [append("e")] })).toBeGreaterThan(next);
  });

  test("has too few replicas: the caller is told, and the master keeps it", async () => {
    const store = await open({ url: server.url, prefix: "wait:", waitReplicas: 9, waitMs: 20 });
    const patient = await open({ url: server.url, prefix: "wait:" });
    const unsure = store.write("ada", null, { put: [append("a")] });
    await expect(unsure).rejects.toMatchObject({ code: "store_busy" });
    await expect(unsure).rejects.toThrow(/of 9 replicas/u);
    await patient.write("ada", null, { put: [append("b")] });
    await expect(store.write("ada", null, { put: [append("c")] })).rejects.toMatchObject({ code: "store_busy" });
    expect(await idsOf(store)).toEqual(["b", "c"]);
  });

  test("has a replica that is waited for: writes under way together wait together", async () => {
    const master = await startServer();
    const replica = await startServer({ replicaof: `127.0.0.1 ${master.port}` });
    const store = await open({ url: master.url, waitReplicas: 1, waitMs: 30_000 });
    await store.write("ada", null, { put: [append("first")] });
    await master.command("CONFIG", "RESETSTAT");
    const ids = Array.from({ length: 60 }, (_, i) => `i${i}`);
    await Promise.all(ids.map((id) => store.write("ada", null, { put: [append(id)] })));
    const calls = /cmdstat_wait:calls=(\d+)/u.exec(String(await master.command("INFO", "commandstats")))?.[1];
    expect(Number(calls)).toBeGreaterThan(0);
    expect(Number(calls)).toBeLessThan(ids.length / 2);
    expect(await replica.command("HLEN", "mnemosyne:{ada}:rows")).toBe(ids.length + 1);
  });

  test("is killed and started again: what was acknowledged is there, and the same store goes on", async () => {
    const mortal = await startServer();
    const store = await open({ url: mortal.url });
    for (const id of ["a", "b", "c"]) await store.write("ada", null, { put: [queued(id)] });
    await mortal.kill();
    const during = store.write("ada", null, { put: [queued("d")] });
    await mortal.start();
    expect(await during).toBeGreaterThan(0);
    expect(await idsOf(store)).toEqual(["a", "b", "c", "d"]);
    expect(await store.due("queue", { before: 7, limit: 9 })).toEqual([{ person: "ada", at: 7, count: 4 }]);
  });

  test("stays away: an error after the limit of time", async () => {
    const mortal = await startServer();
    const store = await open({ url: mortal.url, timeoutMs: 3_000 });
    await mortal.kill();
    const gone = store.read("ada");
    await expect(gone).rejects.toMatchObject({ code: "store_failed" });
    await expect(gone).rejects.toThrow(/cannot be reached/u);
  });

  test("says nothing: an error after the limit of time, and work goes on when it wakes up", async () => {
    const sleepy = await startServer();
    const store = await open({ url: sleepy.url, timeoutMs: 1_500 });
    await store.write("ada", null, { put: [append("a")] });
    process.kill(sleepy.pid, "SIGSTOP");
    try {
      await expect(store.read("ada")).rejects.toMatchObject({ code: "store_busy" });
      await expect(RedisStore.open({ url: sleepy.url, timeoutMs: 1_500 })).rejects.toMatchObject({
        code: "store_busy",
      });
    } finally {
      process.kill(sleepy.pid, "SIGCONT");
    }
    await eventually("answer", async () => (await idsOf(store)).length === 1);
  });

  test("forgets its scripts", async () => {
    const store = await open({ url: server.url, prefix: "scripts:" });
    await store.write("ada", null, { put: [append("a")] });
    await server.command("SCRIPT", "FLUSH");
    await store.write("ada", null, { put: [append("b")] });
    expect(await idsOf(store)).toEqual(["a", "b"]);
  });

  test("is emptied: an open store goes on, and the next one reads all", async () => {
    const emptied = await startServer();
    const store = await open({ url: emptied.url });
    const before = (await store.write("ada", null, { put: [append("a")] }))!;
    await emptied.command("FLUSHALL");
    expect(await store.write("ada", null, { put: [append("b")] })).toBeGreaterThan(before);
    expect((await store.read("ada", { since: before })).isWhole).toBe(true);
    expect(await idsOf(await open({ url: emptied.url }))).toEqual(["b"]);
  });

  test("loses single keys, or they are altered: the person and the record are named", async () => {
    const fill = async (prefix: string): Promise<RedisStore> => {
      const store = await open({ url: server.url, prefix });
      await store.write("ada", null, { put: [queued("a"), { ...append("b"), due: { expiry: 3 } }] });
      expect((await store.damage()).length).toBe(0);
      return store;
    };
    const list = { person: "ada", kind: null, id: null, part: "the list of records is incomplete" };
    for (const key of ["rows", "order", "versions", "queue", "expiry", "head"]) {
      const store = await fill(`lost ${key}:`);
      await server.command("DEL", `lost ${key}:{ada}:${key}`);
      expect(await store.damage()).toContainEqual(list);
      expect((await readAll(store)).damage).toContainEqual(list);
      expect((await readAll(store, "ada", { kinds: ["note"] })).damage).toContainEqual(list);
      expect(await store.persons()).toEqual(["ada"]);
      if (key === "queue") expect(await store.due("queue", { before: 9, limit: 9 })).toHaveLength(1);
      await store.write("ada", null, { put: [append("c")] }).catch(() => {});
      expect((await readAll(store)).damage).toContainEqual(list);
      await store.erase("ada");
      expect(await server.command("KEYS", `lost ${key}:{ada}*`)).toEqual([]);
    }
    const store = await fill("headless:");
    await server.command("DEL", "headless:{ada}:head");
    const refused = store.write("ada", 0, { put: [append("c")] });
    await expect(refused).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(refused).rejects.toThrow(/"ada"/u);

    const altered = await fill("altered:");
    const rows = "altered:{ada}:rows";
    const row = String(await server.command("HGET", rows, "note\0a"));
    const alterations = [row.replace(/a$/u, "x"), row.replace(/ 7 /u, " 8 "), row.replace(/^\d/u, "9"), "what?", ""];
    for (const value of [...alterations, row.replace(/(?<= \d{15})\d/u, (digit) => String(9 - Number(digit)))]) {
      await server.command("HSET", rows, "note\0a", value);
      const { records, damage } = await readAll(altered, "ada", { kinds: ["note"], ids: ["a", "b"] });
      expect(records.map(({ id }) => id)).toEqual(["b"]);
      expect(damage).toEqual([{ person: "ada", kind: "note", id: "a", part: "the record is damaged" }]);
      expect((await altered.damage()).map(({ id }) => id)).toContain("a");
    }
    await server.command("HDEL", rows, "note\0a");
    const missing = { person: "ada", kind: "note", id: "a", part: "the record is missing" };
    expect((await readAll(altered)).damage).toContainEqual(missing);

    const lying = await fill("lying:");
    const sum = Number(await server.command("HGET", "lying:{ada}:head", "sum"));
    await server.command("HSET", "lying:{ada}:head", "sum", String(sum + 1));
    expect((await readAll(lying)).damage).toEqual([list]);
  });

  test("is written to while a large person is read: what was put meanwhile comes last, and a removal ends the reading", async () => {
    const store = await open({ url: server.url, prefix: "large:" });
    const ids = Array.from({ length: 1_700 }, (_, i) => `r${i}`);
    const first = (await store.write("ada", 0, { put: ids.map((id) => append(id)) }))!;
    const read = async (selection: ReadSelection, meanwhile: () => Promise<unknown>) => {
      const snapshot = await store.read("ada", selection);
      const found = new Map<string, string>();
      let pages = 0;
      for await (const { records, damage } of snapshot.pages) {
        if (pages++ === 0) await meanwhile();
        expect(damage).toEqual([]);
        for (const { id, bytes } of records) found.set(id, String(Buffer.from(bytes)));
      }
      return { revision: snapshot.revision, found };
    };
    const again = ["r3", "r1600"].map((id) => ({ kind: "note", id, bytes: Buffer.from("new") }));
    const put = [...again, append("last")];
    let next = 0;
    const all = await read({}, async () => (next = await store.write("ada", first, { put })));
    expect(all.revision).toBe(next);
    expect(all.found.size).toBe(1_701);
    expect(["r3", "r4", "r1600", "last"].map((id) => all.found.get(id))).toEqual(["new", "r4", "new", "last"]);
    const late = (id: string) => () => store.write("ada", null, { put: [append(id)] });
    await expect(read({ limit: 1_000 }, late("x"))).rejects.toMatchObject({ code: "store_stale" });
    expect((await read({ kinds: ["other"] }, late("y"))).found.size).toBe(0);
    const remove = (): Promise<unknown> => store.write("ada", null, { delete: [{ kind: "note", id: "r9" }] });
    await expect(read({}, remove)).rejects.toMatchObject({ code: "store_stale" });
    await expect(read({}, () => store.erase("ada"))).rejects.toMatchObject({ code: "store_stale" });
  });

  test("loses a bucket of names: the person is found and listed again", async () => {
    const store = await open({ url: server.url, prefix: "bucket*:" });
    await store.write("ada", null, { put: [queued("a")] });
    for (const key of (await server.command("KEYS", "bucket*:*s:{??}")) as string[]) await server.command("DEL", key);
    expect(await store.persons()).toEqual([]);
    expect(await store.damage()).toEqual([
      { person: "ada", kind: null, id: null, part: "the person was missing in the list of persons" },
    ]);
    expect(await store.persons()).toEqual(["ada"]);
    expect(await store.damage()).toEqual([]);
  });

  test("names without a person are skipped, removed when they are old, and never taken from a writer", async () => {
    const store = await open({ url: server.url, prefix: "names:" });
    await store.write("ada", null, { put: [queued("a")] });
    const [bucket] = (await server.command("KEYS", "names:persons:*")) as [string];
    const [dueBucket] = (await server.command("KEYS", "names:queue:*")) as [string];
    const now = String(Date.now() * 1_000);
    const bucketOf = (name: string): string =>
      `names:persons:{${createHash("sha256").update(name).digest("hex").slice(0, 2)}}`;
    expect(bucketOf("ada")).toBe(bucket);
    await server.command("ZADD", bucketOf("old"), "1000", "old");
    await server.command("ZADD", bucketOf("new"), now, "new");
    expect(await store.persons()).toEqual(["ada"]);
    expect(await server.command("ZSCORE", bucketOf("old"), "old")).toBe(null);
    expect(String(await server.command("ZSCORE", bucketOf("new"), "new"))).toBe(now);
    // Idle for long: the entry goes, and comes back with the next record that is due.
    await store.write("ada", null, { put: [{ ...append("a"), was: (await readAll(store)).records[0]!.version }] });
    await server.command("ZADD", dueBucket, "1000", "ada");
    expect(await store.due("queue", { before: 9, limit: 9 })).toEqual([]);
    expect(await server.command("EXISTS", dueBucket)).toBe(0);
    await store.write("ada", null, { put: [queued("b")] });
    expect(await store.due("queue", { before: 9, limit: 9 })).toEqual([{ person: "ada", at: 7, count: 1 }]);
  });
});

describe.runIf(hasRedis)("an answer lost on its way", () => {
  let server: RedisServer;
  let proxy: DroppingProxy;
  beforeAll(async () => {
    server = await RedisServer.start();
    proxy = await DroppingProxy.start(server.port);
  });
  afterAll(async () => {
    proxy?.stop();
    await server?.stop();
  });

  test("of an append: written once, and said so, even if another write came between", async () => {
    const store = await open({ url: proxy.url, prefix: "append:" });
    for (let dropCount = 0; dropCount < 5; dropCount++) {
      proxy.dropCount = dropCount;
      expect(await store.write("ada", null, { put: [queued(`i${dropCount}`)] })).toBeGreaterThan(0);
    }
    for (let passed = 0; passed < 5; passed++) {
      proxy.dropAfter(passed);
      expect(await store.write(`new ${passed}`, null, { put: [queued("a")] })).toBeGreaterThan(0);
      proxy.dropCount = 0;
    }
    proxy.dropAfter(3);
    const ids = Array.from({ length: 20 }, (_, i) => `j${i}`);
    const revisions = await Promise.all(ids.map((id) => store.write("bea", null, { put: [queued(id)] })));
    expect(revisions).not.toContain(null);
    proxy.dropCount = 0;
    expect(await idsOf(store)).toEqual(["i0", "i1", "i2", "i3", "i4"]);
    expect((await idsOf(store, "bea")).sort()).toEqual(ids.toSorted());
    const persons = ["ada", "bea", "new 0", "new 1", "new 2", "new 3", "new 4"];
    expect(await store.persons()).toEqual(persons);
    const due = await store.due("queue", { before: 9, limit: 99 });
    expect(due.map(({ person }) => person).sort()).toEqual(persons);
  });

  test("of appends that were sent together: each recognizes its own bytes, and no others", async () => {
    const store = await open({ url: proxy.url, prefix: "together:" });
    await store.write("ada", null, { put: [append("first")] });
    proxy.dropCount = 1;
    const puts = [append("a"), append("b"), append("a", "other"), append("c")];
    const revisions = await Promise.all(puts.map((put) => store.write("ada", null, { put: [put] })));
    expect(proxy.dropCount).toBe(0);
    expect(revisions.map((revision) => revision !== null)).toEqual([true, true, false, true]);
    expect(await idsOf(store)).toEqual(["first", "a", "b", "c"]);
  });

  test("a change whose answer is lost, and after which others write, is not taken for stale", async () => {
    const store = await open({ url: proxy.url, prefix: "followed:" });
    const other = await open({ url: server.url, prefix: "followed:" });
    let revision = await store.write("ada", 0, { put: [{ kind: "note", id: "first", bytes: Buffer.from("first") }] });
    for (let round = 0; round < 5; round++) {
      const put = (id: string): RecordPut[] => [{ kind: "note", id: `${id} ${round}`, bytes: Buffer.from(id) }];
      proxy.dropCount = Infinity;
      const writing = store.write("ada", revision, { put: put("lost") });
      await eventually("write", async () => (await other.read("ada", { limit: 0 })).revision > revision);
      const seen = (await other.read("ada", { limit: 0 })).revision;
      revision = await other.write("ada", seen, { put: put("after") });
      proxy.dropCount = 0;
      expect(await writing).toBe(seen);
    }
    expect((await idsOf(other)).length).toBe(11);
    await Promise.all([store.close(), other.close()]);
  });

  test("of a change: done once, and said so", async () => {
    const store = await open({ url: proxy.url, prefix: "change:" });
    let revision = (await store.write("ada", null, { put: [append("a")] }))!;
    for (let n = 1; n <= 4; n++) {
      proxy.dropCount = 1;
      const { records } = await readAll(store);
      proxy.dropCount = 1;
      const put = { ...append("a", `n${n}`), was: records[0]!.version };
      const next = await store.write("ada", revision, { put: [put] });
      expect(next).toBeGreaterThan(revision);
      expect((await readAll(store)).records[0]).toMatchObject({
        version: next,
        bytes: new Uint8Array(Buffer.from(`n${n}`)),
      });
      revision = next;
    }
  });

  test("of a removal: the last of somebody, and everything", async () => {
    const store = await open({ url: proxy.url, prefix: "remove:" });
    for (let passed = 0; passed < 6; passed++) {
      const revision = (await store.write("ada", null, { put: [queued("a"), append("b")] }))!;
      proxy.dropAfter(passed);
      const gone = ["a", "b"].map((id) => ({ kind: "note", id }));
      expect(await store.write("ada", revision, { delete: gone })).toBe(0);
      proxy.dropCount = 0;
      expect(await server.command("KEYS", "remove:*")).toEqual(["remove:format:{00}"]);
      await store.write("ada", null, { put: [queued("a"), append("b")] });
      proxy.dropAfter(passed);
      expect(await store.erase("ada")).toBe(2);
      proxy.dropCount = 0;
      expect(await server.command("KEYS", "remove:*")).toEqual(["remove:format:{00}"]);
    }
  });
});

describe.runIf(hasRedis)("several processes", () => {
  const child = fileURLToPath(new URL("redis-child.mjs", import.meta.url));

  test("write the same persons while they are killed: everything acknowledged is there once, and listed", async () => {
    const server = await startServer();
    const acknowledged: string[] = [];
    const start = (name: string) => {
      const process = spawn(globalThis.process.execPath, [child, server.url, name], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let rest = "";
      process.stdout.on("data", (bytes: Buffer) => {
        const lines = (rest + String(bytes)).split("\n");
        rest = lines.pop()!;
        acknowledged.push(...lines);
      });
      return process;
    };
    for (let round = 0; round < 3; round++) {
      const children = ["x", "y"].map((name) => start(`${name}${round}`));
      const until = acknowledged.length + 150;
      await eventually("acknowledgements", async () => acknowledged.length >= until);
      for (const one of children) {
        const ended = once(one, "close");
        one.kill("SIGKILL");
        await ended;
      }
    }
    const store = await open({ url: server.url });
    expect(await store.damage()).toEqual([]);
    const persons = await store.persons();
    const found: string[] = [];
    for (const person of persons) found.push(...(await idsOf(store, person)).map((id) => `${person} ${id}`));
    expect(new Set(found).size).toBe(found.length);
    expect(acknowledged.filter((line) => !found.includes(line))).toEqual([]);
    const due = await store.due("queue", { before: 9, limit: 999 });
    expect(due.map(({ person }) => person).sort()).toEqual(persons);
    // At most the last of each process was written without being acknowledged.
    expect(found.length - acknowledged.length).toBeLessThanOrEqual(6);
  }, 60_000);
});

describe.runIf(hasRedis)("a Redis Cluster", () => {
  let cluster: RedisCluster;
  let prefixCount = 0;
  const names = Array.from({ length: 12 }, (_, i) => `person ${String(i).padStart(2, "0")}`);
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(() => cluster?.stop());

  async function slotOf(key: string) {
    const slot = String(await cluster.masters[0]!.command("CLUSTER", "KEYSLOT", key));
    const owner = await cluster.ownerOf(slot);
    return { slot, owner, replica: cluster.replicas[cluster.masters.indexOf(owner)]! };
  }

  test("spreads persons over its masters", async () => {
    const prefix = nextPrefix();
    const store = await open({ url: cluster.url, prefix });
    for (const name of names) await store.write(name, null, { put: [queued("a")] });
    expect(await store.persons()).toEqual(names);
    expect((await store.due("queue", { before: 9, limit: 5 })).length).toBe(5);
    for (const master of cluster.masters)
      expect(((await master.command("KEYS", `${prefix}{person*`)) as string[]).length).toBeGreaterThan(0);
  });

  test("a slot moves to another master while it is written to", async () => {
    const store = await open({ url: cluster.url, prefix: "moving:" });
    const { slot, owner } = await slotOf("moving:{ada}:head");
    await store.write("ada", null, { put: [append("before")] });
    const other = cluster.masters.find((master) => master !== owner)!;
    const [ownerId, otherId] = [await owner.command("CLUSTER", "MYID"), await other.command("CLUSTER", "MYID")];
    await other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", String(ownerId));
    await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", String(otherId));
    const during = store.write("ada", null, { put: [append("during")] });
    const keys = (await owner.command("CLUSTER", "GETKEYSINSLOT", slot, "1000")) as string[];
    await owner.command("MIGRATE", "127.0.0.1", String(other.port), "", "0", "5000", "KEYS", ...keys);
    const readDuring = idsOf(store);
    for (const node of [other, owner]) await node.command("CLUSTER", "SETSLOT", slot, "NODE", String(otherId));
    expect(await during).toBeGreaterThan(0);
    expect(await readDuring).toContain("before");
    await store.write("ada", null, { put: [append("after")] });
    expect(await idsOf(store)).toEqual(["before", "during", "after"]);
  });

  test("a slot that never arrives: an error after the limit of time", async () => {
    const store = await open({ url: cluster.url, prefix: "stuck:", timeoutMs: 1_500 });
    await store.write("ada", null, { put: [append("a")] });
    const { slot, owner } = await slotOf("stuck:{ada}:head");
    const other = cluster.masters.find((master) => master !== owner)!;
    await other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", String(await owner.command("CLUSTER", "MYID")));
    await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", String(await other.command("CLUSTER", "MYID")));
    await expect(store.write("ada", null, { put: [append("b")] })).rejects.toMatchObject({ code: "store_busy" });
    for (const node of [owner, other]) await node.command("CLUSTER", "SETSLOT", slot, "STABLE");
    await store.write("ada", null, { put: [append("b")] });
    expect(await idsOf(store)).toEqual(["a", "b"]);
  });

  test("a replica that does not answer: neither a write, a known append nor an erasure counts as safe", async () => {
    const prefix = nextPrefix();
    const careless = await open({ url: cluster.url, prefix });
    const careful = await open({ url: cluster.url, prefix, waitReplicas: 1, waitMs: 300 });
    const busy = { code: "store_busy" };
    await careful.write("ada", null, { put: [append("a")] });
    const { replica } = await slotOf(`${prefix}{ada}:head`);
    process.kill(replica.pid, "SIGSTOP");
    try {
      await careless.write("ada", null, { put: [append("b")] });
      await expect(careful.write("ada", null, { put: [append("b")] })).rejects.toMatchObject(busy);
      await expect(careful.write("ada", null, { put: [append("c")] })).rejects.toMatchObject(busy);
      expect(await careless.erase("ada")).toBe(3);
      await expect(careful.erase("ada")).rejects.toMatchObject(busy);
    } finally {
      process.kill(replica.pid, "SIGCONT");
    }
    await eventually("replica", async () => (await careful.erase("ada")) === 0);
  });

  test("a name is not lost with the master that lists it", async () => {
    const prefix = nextPrefix();
    const store = await open({ url: cluster.url, prefix, waitReplicas: 1, waitMs: 300 });
    await store.write("ada", null, { put: [append("a")] });
    const buckets = await Promise.all(cluster.masters.map((master) => master.command("KEYS", `${prefix}persons:*`)));
    const { replica, owner } = await slotOf((buckets.flat() as string[])[0]!);
    await store.erase("ada");
    const isApart = owner !== (await slotOf(`${prefix}{ada}:head`)).owner;
    process.kill(replica.pid, "SIGSTOP");
    try {
      const write = store.write("ada", null, { put: [append("a")] });
      await expect(write).rejects.toMatchObject({ code: "store_busy" });
      if (isApart) expect(await idsOf(store)).toEqual([]);
    } finally {
      process.kill(replica.pid, "SIGCONT");
    }
  });

  test("a master and its replica change roles while they are written to", async () => {
    const store = await open({ url: cluster.url, prefix: nextPrefix(), waitReplicas: 1, waitMs: 5_000 });
    const [master, replica] = [cluster.masters[2]!, cluster.replicas[2]!];
    const isMaster = async (node: typeof master): Promise<boolean> =>
      /role:master[\s\S]*state=online/u.test(String(await node.command("INFO", "replication")));
    let isOver = false;
    const acknowledged = names.map(() => 0);
    const working = names.map(async (name, i) => {
      while (!isOver) {
        expect(await store.write(name, null, { put: [append(`i${acknowledged[i]}`)] })).toBeGreaterThan(0);
        acknowledged[i]!++;
      }
    });
    // Redis gives up on a change of roles after five seconds.
    let tries = 0;
    await eventually("change of roles", async () => {
      if (tries++ % 120 === 0) await replica.command("CLUSTER", "FAILOVER");
      return isMaster(replica);
    });
    [cluster.masters[2], cluster.replicas[2]] = [replica, master];
    isOver = true;
    await Promise.all(working);
    for (const [i, name] of names.entries()) expect(await idsOf(store, name)).toHaveLength(acknowledged[i]!);
  }, 60_000);

  /** Last: afterwards the cluster has a master less. */
  test("a master dies and its replica takes over: what was acknowledged with WAIT is there", async () => {
    const store = await open({ url: cluster.url, prefix: nextPrefix(), waitReplicas: 1, waitMs: 5_000 });
    for (const name of names) await store.write(name, null, { put: [append("before")] });
    await cluster.masters[1]!.kill();
    const writes = names.map((name) => store.write(name, null, { put: [append("during")] }).then(() => name));
    const during = await Promise.allSettled(writes);
    await eventually("new master", async () =>
      String(await cluster.replicas[1]!.command("INFO", "replication")).includes("role:master"),
    );
    const acknowledged = during.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    // Those of the other two masters at the least.
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const name of names) {
      const ids = await idsOf(store, name);
      expect(ids[0]).toBe("before");
      if (acknowledged.includes(name)) expect(ids).toEqual(["before", "during"]);
    }
    expect(await store.persons()).toEqual(names);
  }, 90_000);
});
