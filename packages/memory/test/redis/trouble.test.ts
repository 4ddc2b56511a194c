/** What can go wrong with a Redis: clear errors, nothing acknowledged lost, nothing done twice, and work goes on afterwards. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Mnemosyne } from "mnemosyne-edge";
import type { RedisOptions } from "mnemosyne-edge/store/redis";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { toRedisError } from "../../src/adapters/store/redis/error.js";
import { DroppingProxy } from "./dropping-proxy.mjs";
import { RedisServer, eventually, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange } from "./scenes.js";

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

const idsOf = async (store: RedisStore, person = "ada"): Promise<string[]> =>
  (await store.history(person)).map((entry) => entry.interaction.id);

describe("an address", () => {
  test.each([
    ["redis://a:1,b:2", /redis\+cluster/u],
    ["redis://localhost:99999", /port/u],
    ["redis://localhost/x", /redis:\/\/host:port/u],
    ["redis+cluster://localhost:1/3", /database 0/u],
    ["redis://localhost?waitReplicas=many", /waitReplicas/u],
    ["redis://localhost?prefix=%7Bx%7D", /braces/u],
    ["redis://localhost?waitreplicas=1", /"waitreplicas" in the address is unknown.*waitReplicas/u],
    ["http://localhost", /redis:\/\/host:port/u],
  ])("%s means nothing", async (url, message) => {
    const refused = RedisStore.open({ url });
    await expect(refused).rejects.toMatchObject({ code: "option_invalid", family: "input" });
    await expect(refused).rejects.toThrow(message);
  });

  test.each(["redis:/localhost:6379", "rediss:localhost", "127.0.0.1:6379", "redis.example:7000"])(
    "%s is taken for one that was mistyped, not for a file",
    async (path) => {
      const opened = Mnemosyne.open({ path });
      await expect(opened).rejects.toMatchObject({ code: "option_invalid" });
      await expect(opened).rejects.toThrow(/looks like an address; write redis:\/\/host:port/u);
    },
  );

  test("that nobody answers at", async () => {
    const gone = RedisStore.open({ url: "redis://user:secret@127.0.0.1:1" });
    await expect(gone).rejects.toMatchObject({ code: "store_failed", family: "store" });
    await expect(gone).rejects.toThrow(/127\.0\.0\.1:1.*cannot be reached/u);
    await expect(gone).rejects.not.toThrow(/secret/u);
    await expect(RedisStore.open({ url: "redis+cluster://127.0.0.1:1,127.0.0.1:2" })).rejects.toMatchObject({
      code: "store_failed",
    });
  });

  test("of something else", async () => {
    const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    onTestFinished(() => void web.close());
    const url = `redis://127.0.0.1:${(web.address() as AddressInfo).port}`;
    await expect(RedisStore.open({ url })).rejects.toMatchObject({ code: "store_not_ours" });
  });
});

test("an error does not repeat what was sent", () => {
  const quoting = new Error("ERR unknown command 'AUTH', with args beginning with: 'ada' 'secret' ");
  const error = toRedisError("open", "redis://localhost", quoting);
  expect(error.code).toBe("store_not_ours");
  expect(`${error.message} ${String(error.cause)}`).not.toContain("secret");
  expect(String(error.cause)).toContain("unknown command 'AUTH'");
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

  test("whose keys belong to another program", async () => {
    await server.command("SET", "taken:settings", "mine");
    await expect(RedisStore.open({ url: server.url, prefix: "taken:" })).rejects.toMatchObject({
      code: "store_not_ours",
    });
    await server.command("HSET", "other:settings", "colour", "blue");
    await expect(RedisStore.open({ url: server.url, prefix: "other:" })).rejects.toMatchObject({
      code: "store_not_ours",
    });
  });

  test("filled by a newer release", async () => {
    await server.command("HSET", "newer:settings", "schema_version", "99");
    await expect(RedisStore.open({ url: server.url, prefix: "newer:" })).rejects.toMatchObject({
      code: "store_format",
    });
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
    await open({ url: guarded.url.replace("//", "//:open%20sesame@") });
    const store = await open({ url: guarded.url, password: "open sesame", prefix: "second:" });
    expect((await store.describe()).location).not.toContain("sesame");
  });

  test("is full: nothing is half done, and forgetting makes room", async () => {
    const full = await startServer();
    const store = await open({ url: full.url });
    await store.accept("ada", interaction("a"), "queued");
    const base = await store.revision("ada");
    const next = await store.apply("ada", batch(base, { change: { ...noChange, putNodes: [memory("a")] } }));
    await full.command("CONFIG", "SET", "maxmemory", "1mb");
    const refused = store.accept("ada", interaction("b"), "queued");
    await expect(refused).rejects.toMatchObject({ code: "store_full" });
    await expect(refused).rejects.toThrow(/maxmemory/u);
    const more = batch(next, { outcomes: [{ id: "a", outcome: "pruned", trace: "{}" }] });
    await expect(store.apply("ada", more)).rejects.toMatchObject({ code: "store_full" });
    expect(await idsOf(store)).toEqual(["a"]);
    expect(await store.revision("ada")).toBe(next);
    await store.apply("ada", batch(next, { forgetInteractions: ["a"] }));
    expect(await full.command("KEYS", "*")).toEqual(["mnemosyne:settings"]);
    await full.command("CONFIG", "SET", "maxmemory", "0");
    expect(await store.accept("ada", interaction("b"), "queued")).toBe(true);
  });

  test("is a replica", async () => {
    await (await open({ url: server.url })).accept("ada", interaction("a"), "queued");
    const replica = await startServer({ replicaof: `127.0.0.1 ${server.port}` });
    await eventually("replica", async () => (await replica.command("EXISTS", "mnemosyne:settings")) === 1);
    const store = await open({ url: replica.url });
    const refused = store.accept("ada", interaction("b"), "queued");
    await expect(refused).rejects.toMatchObject({ code: "store_read_only" });
    await expect(refused).rejects.toThrow(/replica/u);
  });

  test("has too few replicas: the caller is told, and the master keeps it", async () => {
    const store = await open({ url: server.url, prefix: "wait:", waitReplicas: 9, waitMs: 20 });
    const unsure = store.accept("ada", interaction("a"), "queued");
    await expect(unsure).rejects.toMatchObject({ code: "store_busy" });
    await expect(unsure).rejects.toThrow(/of 9 replicas/u);
    expect(await idsOf(store)).toEqual(["a"]);
  });

  test("has a replica that is waited for: writes that are under way together wait together", async () => {
    const master = await startServer();
    const replica = await startServer({ replicaof: `127.0.0.1 ${master.port}` });
    const store = await open({ url: master.url, waitReplicas: 1, waitMs: 30_000 });
    await store.accept("ada", interaction("first"), "queued");
    await master.command("CONFIG", "RESETSTAT");
    const ids = Array.from({ length: 60 }, (_, i) => `i${i}`);
    const results = await Promise.all(ids.map((id) => store.accept("ada", interaction(id), "queued")));
    expect(results).toEqual(ids.map(() => true));
    const calls = /cmdstat_wait:calls=(\d+)/u.exec(String(await master.command("INFO", "commandstats")))?.[1];
    expect(Number(calls)).toBeGreaterThan(0);
    expect(Number(calls)).toBeLessThan(ids.length / 2);
    expect(await replica.command("ZCARD", "mnemosyne:{ada}:history")).toBe(ids.length + 1);
  });

  test("is killed and started again: what was acknowledged is there, and the same store goes on", async () => {
    const mortal = await startServer();
    const store = await open({ url: mortal.url });
    for (const id of ["a", "b", "c"]) expect(await store.accept("ada", interaction(id), "queued")).toBe(true);
    await mortal.kill();
    const during = store.accept("ada", interaction("d"), "queued");
    await mortal.start();
    expect(await during).toBe(true);
    expect(await idsOf(store)).toEqual(["a", "b", "c", "d"]);
    expect(await store.personsWithQueue()).toEqual(["ada"]);
  });

  test("stays away: an error after the limit of time", async () => {
    const mortal = await startServer();
    const store = await open({ url: mortal.url, timeoutMs: 3_000 });
    await mortal.kill();
    const gone = store.revision("ada");
    await expect(gone).rejects.toMatchObject({ code: "store_failed" });
    await expect(gone).rejects.toThrow(/cannot be reached/u);
  });

  test("says nothing: an error after the limit of time, and work goes on when it wakes up", async () => {
    const sleepy = await startServer();
    const store = await open({ url: sleepy.url, timeoutMs: 1_500 });
    await store.accept("ada", interaction("a"), "queued");
    process.kill(sleepy.pid, "SIGSTOP");
    try {
      await expect(store.revision("ada")).rejects.toMatchObject({ code: "store_busy" });
    } finally {
      process.kill(sleepy.pid, "SIGCONT");
    }
    await eventually("answer", async () => (await store.revision("ada")) > 0);
    expect(await idsOf(store)).toEqual(["a"]);
  });

  test("forgets its scripts", async () => {
    const store = await open({ url: server.url, prefix: "scripts:" });
    await store.accept("ada", interaction("a"), "queued");
    await server.command("SCRIPT", "FLUSH");
    expect(await store.accept("ada", interaction("b"), "queued")).toBe(true);
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

  test("accept: accepted once, and said so", async () => {
    const store = await open({ url: proxy.url, prefix: "accept:" });
    for (let dropCount = 0; dropCount < 5; dropCount++) {
      proxy.dropCount = dropCount;
      expect(await store.accept("ada", interaction(`i${dropCount}`), "queued")).toBe(true);
    }
    expect(await idsOf(store)).toEqual(["i0", "i1", "i2", "i3", "i4"]);
    expect(await store.persons()).toEqual(["ada"]);
    expect(await store.personsWithQueue()).toEqual(["ada"]);
  });

  test("apply: applied once, and said so", async () => {
    const store = await open({ url: proxy.url, prefix: "apply:" });
    await store.accept("ada", interaction("a"), "queued");
    let revision = await store.revision("ada");
    for (let commits = 1; commits <= 4; commits++) {
      proxy.dropCount = 1;
      const next = await store.apply("ada", batch(revision, { commitsSinceCoreSummary: commits }));
      expect(next).toBeGreaterThan(revision);
      revision = next;
    }
    expect(await store.revision("ada")).toBe(revision);
    expect((await store.load("ada")).commitsSinceCoreSummary).toBe(4);
  });

  test("accept, and nobody waits for it any more: whoever hands it in again lists the person", async () => {
    const impatient = await open({ url: proxy.url, prefix: "again:", timeoutMs: 400 });
    const patient = await open({ url: server.url, prefix: "again:" });
    await impatient.accept("ada", interaction("earlier"), "queued");
    await server.command("HDEL", "again:{ada}", "listed_persons", "listed_queue");
    for (const key of (await server.command("KEYS", "again:*s:{??}")) as string[]) await server.command("DEL", key);
    expect(await patient.persons()).toEqual([]);
    proxy.dropCount = Infinity;
    await expect(impatient.accept("ada", interaction("a"), "queued")).rejects.toMatchObject({ family: "store" });
    proxy.dropCount = 0;
    expect(await idsOf(patient)).toEqual(["earlier", "a"]);
    expect(await patient.accept("ada", interaction("a"), "queued")).toBe(false);
    expect(await patient.persons()).toEqual(["ada"]);
    expect(await patient.personsWithQueue()).toEqual(["ada"]);
  });

  test("forget: the last of somebody, and everything, forgotten once and said so", async () => {
    const store = await open({ url: proxy.url, prefix: "forget:" });
    const live = async (): Promise<number> => {
      await store.accept("ada", interaction("a"), "queued");
      await store.accept("ada", interaction("b"), "queued");
      const nodes = { ...noChange, putNodes: [memory("a"), memory("b")] };
      const putEdges = [{ a: "a", b: "b", weight: 0.5, boostMs: 0, boostedMs: null }];
      return store.apply("ada", batch(await store.revision("ada"), { change: { ...nodes, putEdges } }));
    };
    // Each of the answers on the way in its turn.
    for (let passed = 0; passed < 5; passed++) {
      const revision = await live();
      proxy.dropAfter(passed);
      await store.apply("ada", batch(revision, { forgetInteractions: ["a", "b"] }));
      expect(await store.persons()).toEqual([]);
    }
    for (let passed = 0; passed < 5; passed++) {
      await live();
      proxy.dropAfter(passed);
      expect(await store.forgetPerson("ada")).toEqual({ interactions: 2, memories: 2, edges: 1 });
    }
    expect(await server.command("KEYS", "forget:*")).toEqual(["forget:settings"]);
  });
});
